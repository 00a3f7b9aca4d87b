import { queryCache } from "./query-cache.ts";
import { queryKeys } from "./query-keys.ts";

/** What to request again after an event: one function per event. */

/** Enough friends have opened a video's link: what was refused before is now granted. */
export function afterUnlock(code: string, videoId: number): void {
  queryCache.invalidate(queryKeys.unlockedPlay(code, videoId));
}
