import type { Ad, Video } from "@/shared/api/model.ts";

/** What fills the feed's height at one place. */
export type FeedItem = Video | Ad;

/**
 * Number of videos between advertisements (specification §9): places 5, 10, 15
 * (docs/product.md#r8).
 */
export const VIDEOS_BEFORE_AD = 4;
/** The next page is asked for when this many places are left (specification §9). */
export const AHEAD = 5;

/**
 * The feed's order: after every four videos the slot's next advertisement, in turn.
 *
 * @param ads - Null while they are not known: the feed ends before the first place that they
 *   decide, so that nothing changes under the visitor's finger.
 */
export function orderFeed(
  videos: readonly Video[],
  ads: readonly Ad[] | null,
): readonly FeedItem[] {
  if (ads === null) return videos.slice(0, VIDEOS_BEFORE_AD);
  if (ads.length === 0) return videos;
  return videos.flatMap((video, index) => {
    const ordinal = (index + 1) / VIDEOS_BEFORE_AD;
    const ad = Number.isInteger(ordinal) ? ads[(ordinal - 1) % ads.length] : undefined;
    return ad ? [video, ad] : [video];
  });
}

/** Whether the next page is due while `active` of `count` places is on screen. */
export function isNearEnd(active: number, count: number): boolean {
  return count - active <= AHEAD;
}
