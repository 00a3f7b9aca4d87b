import { RETURN_PATH } from "@/shared/storage/entries.ts";
import { read, remove, write } from "@/shared/storage/registry.ts";

const VENDOR = "/vendor";

let held: string | null = null;

/**
 * Take a partner's single-use code out of the address bar, and out of the history with it. Called before the page asks
 * for anything, so that no request can tell the address.
 */
export function holdCode(): void {
  const url = new URL(window.location.href);
  const code = url.searchParams.get("code");
  if (url.pathname.replace(/\/$/, "") !== VENDOR || code === null) return;
  held = code || null;
  url.searchParams.delete("code");
  window.history.replaceState(window.history.state, "", url);
}

/** The code that the page was opened with; null when there was none, or it was taken already. */
export function takeCode(): string | null {
  holdCode();
  const code = held;
  held = null;
  return code;
}

/** Remember where a visitor is who must go to the vendor page first. */
export function keepReturnPath(): void {
  const { pathname, search } = window.location;
  if (!pathname.startsWith(VENDOR)) write(RETURN_PATH, `${pathname}${search}`);
}

/** Where a visitor goes on who has come back with a session; the address is used once. */
export function takeReturnPath(): string {
  const path = read(RETURN_PATH);
  remove(RETURN_PATH);
  return path || "/home";
}
