import { RETURN_PATH } from "@/shared/storage/entries.ts";
import { write } from "@/shared/storage/registry.ts";

const VENDOR = "/vendor";

/** In the address beside a code that the host gave on request. */
export const ASKED = "asked";

/** What the visitor arrived with. */
export const arrival: {
  /** The code removed from the address bar, until it is used. */
  code: string | null;
  /** Whether the host gave it on request. */
  wasAsked: boolean;
} = { code: null, wasAsked: false };

/**
 * Remove a partner's single-use code from the address bar and the history. Called before any
 * request, so that none can reveal the address.
 */
export function holdCode(): void {
  const url = new URL(window.location.href);
  const code = url.searchParams.get("code");
  if (url.pathname.replace(/\/$/, "") !== VENDOR || code === null) return;
  arrival.code = code || null;
  arrival.wasAsked = url.searchParams.has(ASKED);
  url.searchParams.delete("code");
  url.searchParams.delete(ASKED);
  window.history.replaceState(window.history.state, "", url);
}

/** Remember where a visitor is who must go to the vendor page first. */
export function keepReturnPath(): void {
  const { pathname, search } = window.location;
  if (!pathname.startsWith(VENDOR)) write(RETURN_PATH, `${pathname}${search}`);
}
