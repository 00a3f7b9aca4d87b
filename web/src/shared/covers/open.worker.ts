import { gcm } from "@noble/ciphers/aes.js";
import { keyOf, parseEncrypted } from "./encrypted-image.ts";

/** Decrypts images where the browser has no cipher of its own: plain HTTP on a local network. */
export interface OpenRequest {
  readonly id: number;
  readonly encrypted: ArrayBuffer;
  readonly keys: Readonly<Record<string, string>>;
}

export interface OpenAnswer {
  readonly id: number;
  /** Null when the picture is damaged or its key unknown. */
  readonly picture: ArrayBuffer | null;
}

function open({ encrypted, keys }: OpenRequest): ArrayBuffer | null {
  try {
    const { keyId, header, nonce, cipher } = parseEncrypted(new Uint8Array(encrypted));
    return gcm(keyOf(keys, keyId), nonce, header).decrypt(cipher).slice().buffer;
  } catch {
    return null;
  }
}

addEventListener("message", ({ data }: MessageEvent<OpenRequest>) => {
  const answer: OpenAnswer = { id: data.id, picture: open(data) };
  postMessage(answer, { transfer: answer.picture ? [answer.picture] : [] });
});
