import { isRecord } from "@/shared/storage/parsers.ts";
import { isFramed } from "./framed.ts";

/** What a host page may ask of the site (docs/embedding.md). */
export type HostMessage =
  | { readonly type: "open"; readonly path: string }
  | { readonly type: "session"; readonly code: string }
  | { readonly type: "theme"; readonly theme: "light" | "dark" | "system" };

/** What the site tells its host. */
export type SiteMessage =
  | { readonly type: "ready" }
  | { readonly type: "navigated"; readonly path: string }
  | { readonly type: "session-needed" };

/** Identifies messages of this protocol, and its edition. */
const EDITION = 1;
const PATH = /^\/(?!vendor\b)[^\s\\/][^\s\\]{0,500}$/;
const CODE = /^[\w.-]{1,4096}$/;
const THEMES = ["light", "dark", "system"] as const;

/** A message of the protocol; null for anything else, such as other scripts' messages. */
export function hostMessage(data: unknown): HostMessage | null {
  if (!isRecord(data) || data.liuying !== EDITION) return null;
  const { type, path, code, theme } = data;
  if (type === "open" && typeof path === "string" && PATH.test(path)) return { type, path };
  if (type === "session" && typeof code === "string" && CODE.test(code)) return { type, code };
  const chosen = THEMES.find((one) => one === theme);
  return type === "theme" && chosen ? { type, theme: chosen } : null;
}

/**
 * Listen to the page that frames this one: messages from a listed origin, from the parent window
 * itself, in the form of the protocol. Everything else is silently ignored.
 *
 * @returns A function that ends it.
 */
export function onHostMessage(
  origins: readonly string[],
  handle: (message: HostMessage) => void,
): () => void {
  const listen = ({ origin, source, data }: MessageEvent) => {
    if (!isFramed() || source !== window.parent || !origins.includes(origin)) return;
    const message = hostMessage(data);
    if (message) handle(message);
  };
  window.addEventListener("message", listen);
  return () => window.removeEventListener("message", listen);
}

/** Origin of the page that frames this one, where it is listed; null elsewhere. */
function hostOrigin(origins: readonly string[]): string | null {
  if (!isFramed()) return null;
  const { ancestorOrigins } = window.location as Location & { ancestorOrigins?: DOMStringList };
  const origin = ancestorOrigins?.item(0) ?? originOf(document.referrer);
  return origin && origins.includes(origin) ? origin : null;
}

function originOf(url: string): string | null {
  try {
    return new URL(url).origin;
  } catch {
    return null;
  }
}

/** Send the host a message; only a listed origin receives it. */
export function tellHost(origins: readonly string[], message: SiteMessage): void {
  const origin = hostOrigin(origins);
  if (origin) window.parent.postMessage({ liuying: EDITION, ...message }, origin);
}
