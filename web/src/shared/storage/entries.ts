import { videoToWire } from "@/shared/api/mapping.ts";
import type { Video } from "@/shared/api/model.ts";
import { flagEntry, isRecord, listEntry, numberEntry, textEntry } from "./parsers.ts";
import type { StorageEntry } from "./registry.ts";
import { parseVideo } from "./stored-video.ts";

/** Every key that the site keeps (specification §3), with its parser, default and cap. */

/** The data code: 6 to 12 of `[0-9a-z]` (readings 1). */
export const UUID = textEntry("uuid", /^[0-9a-z]{6,12}$/);

/** Public visitor id (decisions §2). */
export const VUID = textEntry("vuid", /^[\w-]{8,64}$/);

/** When the newest notice was read, milliseconds since 1970. @public */
export const LAST_READ = numberEntry("lastReadTimestamp", 0);

/** Id of the chosen banner tag; 0 before the first choice. */
export const BANNER_TYPE = numberEntry("bannerType", 0);

/** Most search terms kept. */
export const SEARCH_HISTORY_CAP = 20;

/** Search terms, newest first. Commas separate them, so those inside a term were replaced (readings 18). */
export const SEARCH_HISTORY: StorageEntry<readonly string[]> = {
  key: "listStr",
  area: "local",
  parse: (text) => uniqueTerms(text.split(",")),
  format: (terms) => uniqueTerms(terms.map((term) => term.replaceAll(/[,，]+/g, " "))).join(","),
  initial: [],
};

function uniqueTerms(terms: readonly string[]): readonly string[] {
  return [...new Set(terms.map((term) => term.trim()).filter(Boolean))].slice(0, SEARCH_HISTORY_CAP);
}

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

/** Most videos kept; the page shows the latest 30 (readings 15). */
export const HISTORY_CAP = 100;

/** Watch history, newest first, one entry a video. */
export const HISTORY = listEntry<Video>("CM-H5:history", HISTORY_CAP, parseVideo, videoToWire);

/** Changes of the data code within 24 h. */
export interface CodeChanges {
  /** Milliseconds since 1970 of the first change. */
  readonly timestamp: number;
  readonly used: number;
}

/** How often the data code was changed of late. @public */
export const CODE_CHANGES: StorageEntry<CodeChanges> = {
  key: "codeChange",
  area: "local",
  parse: (text) => {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || typeof value.timestamp !== "number" || typeof value.used !== "number") return undefined;
    return { timestamp: value.timestamp, used: value.used };
  },
  format: JSON.stringify,
  initial: { timestamp: 0, used: 0 },
};

/** Whether the seek hint was shown. */
export const SEEK_HINT_SHOWN = flagEntry("seek-hint-shown");

/** Whether the visitor has turned the short feed's sound off. */
export const SHORTS_MUTED = flagEntry("shorts-muted");

/** When an advertisement's address was last opened or counted, milliseconds since 1970 (specification §9). */
export const adTrackingEntry = (url: string): StorageEntry<number> => numberEntry(`ad-tracking:${url}`, 0);

/** Bearer token (specification §6). */
export const TOKEN = textEntry("token", /^[\w.~+/=-]{1,4096}$/);

/** The chosen theme; empty follows the system. `public/theme.js` reads it before the first paint. */
export const THEME = textEntry("theme", /^(dark|light)$/);

/** Id of the video that was opened last (session). */
export const VIDEO_ID = textEntry("videoId", /^\d{1,10}$/, "session");

/** The tab of /find that was open last. @public */
export const FIND_TAB = textEntry("findTab", /^(artist|rank|tags)$/);
