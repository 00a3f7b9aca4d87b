import { queryCache } from "./query-cache.ts";
import { queryKeys } from "./query-keys.ts";

/** What is to be asked again once something has happened: one function for each event. */

/** Enough friends have opened a video's link: what was refused before is given now. */
export function afterUnlock(code: string, videoId: number): void {
  queryCache.invalidate(queryKeys.unlockedPlay(code, videoId));
}
