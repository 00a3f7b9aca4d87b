import type { Video } from "@/shared/api/model.ts";
import { videoToWire } from "@/shared/storage/stored-video.ts";
import { flagEntry, isRecord, listEntry, textEntry } from "./parsers.ts";
import type { StorageEntry } from "./registry.ts";
import { parseVideo } from "./stored-video.ts";

/** Keys that single screens keep; `entries.ts` holds those that home needs, too. */

/** Most search terms kept. */
export const SEARCH_HISTORY_CAP = 20;

/**
 * Search terms, newest first. Commas separate them, so those inside a term were replaced
 * (docs/product.md#r18).
 */
export const SEARCH_HISTORY: StorageEntry<readonly string[]> = {
  key: "listStr",
  area: "local",
  parse: (text) => uniqueTerms(text.split(",")),
  format: (terms) => uniqueTerms(terms.map((term) => term.replaceAll(/[,，]+/g, " "))).join(","),
  initial: [],
};

function uniqueTerms(terms: readonly string[]): readonly string[] {
  return [...new Set(terms.map((term) => term.trim()).filter(Boolean))].slice(
    0,
    SEARCH_HISTORY_CAP,
  );
}

/** Most videos kept; the page shows the latest 30 (docs/product.md#r15). */
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
    if (!isRecord(value) || typeof value.timestamp !== "number" || typeof value.used !== "number")
      return undefined;
    return { timestamp: value.timestamp, used: value.used };
  },
  format: JSON.stringify,
  initial: { timestamp: 0, used: 0 },
};

/** Whether the seek hint was shown. */
export const SEEK_HINT_SHOWN = flagEntry("seek-hint-shown");

/** Whether the visitor has turned the short feed's sound off. */
export const SHORTS_MUTED = flagEntry("shorts-muted");

/** Id of the video that was opened last (session). */
export const VIDEO_ID = textEntry("videoId", /^\d{1,10}$/, "session");
