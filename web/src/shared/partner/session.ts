import { TOKEN } from "@/shared/storage/entries.ts";
import { numberEntry } from "@/shared/storage/parsers.ts";
import { read, remove, subscribe, write } from "@/shared/storage/registry.ts";
import { PARTNER, type PartnerSession, readSession } from "@/shared/store/client-store.ts";

/** When the session of the token ends, milliseconds since 1970; 0 where that is not known. */
const SESSION_END = numberEntry("sessionEnd", 0);

/** How long a session lasts, in milliseconds (docs/product.md#embedding). */
const SESSION_MS = 2 * 60 * 60 * 1000;

/**
 * Keep a partner's session. It counts from now: the clock of this device may be another than the
 * server's.
 */
export function beginSession(token: string, session: PartnerSession): void {
  write(PARTNER, session);
  write(SESSION_END, Date.now() + SESSION_MS);
  write(TOKEN, token); // The last, since other tabs follow it.
  readSession();
}

/** The visitor is a guest with empty fields again (specification §4). */
export function endSession(): void {
  remove(PARTNER);
  remove(SESSION_END);
  remove(TOKEN);
  readSession();
}

/**
 * End sessions when their time is over, where no answer of the server says so: without required
 * authentication the token is never sent.
 */
export function endSessionsInTime(): void {
  let timer: number | undefined;
  const look = () => {
    window.clearTimeout(timer);
    if (read(TOKEN) === "") return;
    // One that an earlier version kept.
    if (read(SESSION_END) === 0) write(SESSION_END, Date.now() + SESSION_MS);
    const left = read(SESSION_END) - Date.now();
    if (left <= 0) endSession();
    else timer = window.setTimeout(look, Math.min(left, SESSION_MS));
  };
  subscribe(TOKEN, look);
  look();
}
