import { RETURN_PATH } from "@/shared/storage/entries.ts";
import { write } from "@/shared/storage/registry.ts";

const VENDOR = "/vendor";

/** The code that was taken out of the address bar, until it is used. */
export const heldCode: { current: string | null } = { current: null };

/**
 * Take a partner's single-use code out of the address bar, and out of the history with it. Called
 * before the page asks for anything, so that no request can tell the address.
 */
export function holdCode(): void {
  const url = new URL(window.location.href);
  const code = url.searchParams.get("code");
  if (url.pathname.replace(/\/$/, "") !== VENDOR || code === null) return;
  heldCode.current = code || null;
  url.searchParams.delete("code");
  window.history.replaceState(window.history.state, "", url);
}

/** Remember where a visitor is who must go to the vendor page first. */
export function keepReturnPath(): void {
  const { pathname, search } = window.location;
  if (!pathname.startsWith(VENDOR)) write(RETURN_PATH, `${pathname}${search}`);
}
