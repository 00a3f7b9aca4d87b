import { RETURN_PATH } from "@/shared/storage/entries.ts";
import { write } from "@/shared/storage/registry.ts";

const VENDOR = "/vendor";

/** Stands in the address beside a code that the host gave because it was asked for one. */
export const ASKED = "asked";

/** What the visitor arrived with. */
export const arrival: {
  /** The code that was taken out of the address bar, until it is used. */
  code: string | null;
  /** Whether the host gave it because it was asked for one. */
  wasAsked: boolean;
} = { code: null, wasAsked: false };

/**
 * Take a partner's single-use code out of the address bar, and out of the history with it. Called
 * before the page asks for anything, so that no request can tell the address.
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
