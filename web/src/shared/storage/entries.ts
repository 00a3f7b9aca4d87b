import { listEntry, numberEntry, textEntry } from "./parsers.ts";
import type { StorageEntry } from "./registry.ts";

/**
 * The site's storage keys (specification §3), each with its parser, default and cap; more in
 * `screen-entries.ts`.
 */

/** The data code: 6 to 12 of `[0-9a-z]` (docs/product.md#r1). */
export const UUID = textEntry("uuid", /^[0-9a-z]{6,12}$/);

/** Public visitor id (docs/product.md#identity). */
export const VUID = textEntry("vuid", /^[\w-]{8,64}$/);

/** Seconds since 1970 stay below this for some thousand years, milliseconds have passed it. */
const MOST_SECONDS = 1e11;

/**
 * When the newest notice was read, milliseconds since 1970. Seconds and a time in text are read,
 * too (docs/product.md#r19). @public
 */
export const LAST_READ: StorageEntry<number> = {
  ...numberEntry("lastReadTimestamp", 0),
  parse: (text) => {
    if (!/^\d/.test(text)) return undefined;
    const time = Number(text);
    if (!Number.isFinite(time)) return Date.parse(text) || undefined;
    return time < MOST_SECONDS ? time * 1000 : time;
  },
};

/** Id of the chosen banner tag; 0 before the first choice. */
export const BANNER_TYPE = numberEntry("bannerType", 0);

/** Unlock count of a share video, stored as `id!count`. */
export interface ShareCount {
  readonly id: string;
  readonly count: number;
}

/** About 100 at most (specification §9); the oldest are dropped. */
export const SHARE_VIDEOS = listEntry<ShareCount>(
  "shareVideos",
  100,
  (item) => {
    const match = typeof item === "string" ? /^([\w-]{1,64})!(\d{1,9})$/.exec(item) : null;
    return match ? { id: match[1] ?? "", count: Number(match[2]) } : undefined;
  },
  ({ id, count }) => `${id}!${count}`,
);

/**
 * When an advertisement's address was last opened or counted, milliseconds since 1970
 * (specification §9).
 */
export const adTrackingEntry = (url: string): StorageEntry<number> =>
  numberEntry(`ad-tracking:${url}`, 0);

/** Bearer token (specification §6). */
export const TOKEN = textEntry("token", /^[\w.~+/=-]{1,4096}$/);

/**
 * The chosen theme; empty follows the system. `public/theme.js` reads it before the first paint.
 */
export const THEME = textEntry("theme", /^(dark|light)$/);

/**
 * Where a visitor wanted to go who was sent to the vendor page: a path of this site only (session).
 */
export const RETURN_PATH = textEntry(
  "returnPath",
  /^\/(?!vendor\b)[^\s\\/][^\s\\]{0,500}$/,
  "session",
);

/** The tab of /find that was open last. @public */
export const FIND_TAB = textEntry("findTab", /^(artist|rank|tags)$/);
