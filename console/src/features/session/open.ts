import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";
import { CallError, call } from "@/shared/api/call.ts";
import type { Me, Passkey } from "@/shared/api/types.ts";

const CANCELLED = "没有完成。可以再试一次，或改用一次性地址";
const UNSUPPORTED = "这个浏览器或地址不能使用通行密钥：请用 localhost 或 https 的域名打开控制台";
const KNOWN = "这台设备已经登记过了";
const opening = new Map<string, Promise<Me>>();

/** Open a session by a one-time address. Asked twice with a token, it is sent once. */
export function openByLink(token: string): Promise<Me> {
  const known = opening.get(token);
  if (known) return known;
  const asked = call<Me>("/api/session/link", { method: "POST", body: { token } });
  opening.set(token, asked);
  return asked;
}

/**
 * Open a session by a passkey.
 *
 * @throws CallError
 */
export async function openByPasskey(): Promise<Me> {
  const optionsJSON = await call<PublicKeyCredentialRequestOptionsJSON>(
    "/api/session/passkey/options",
    { method: "POST" },
  );
  const answer = await answered(startAuthentication({ optionsJSON }));
  return call<Me>("/api/session/passkey", { method: "POST", body: { answer } });
}

/**
 * Make a passkey on this device.
 *
 * @throws CallError
 */
export async function enrolPasskey(label: string): Promise<Passkey> {
  const optionsJSON = await call<PublicKeyCredentialCreationOptionsJSON>("/api/passkeys/options", {
    method: "POST",
  });
  const answer = await answered(startRegistration({ optionsJSON }));
  return call<Passkey>("/api/passkeys", { method: "POST", body: { answer, label } });
}

async function answered<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const name = error instanceof Error ? error.name : "";
    if (name === "InvalidStateError") throw new CallError(KNOWN, 0);
    if (name === "SecurityError" || name === "NotSupportedError")
      throw new CallError(UNSUPPORTED, 0);
    throw new CallError(CANCELLED, 0);
  }
}
