/** Height of the head at which a release refreshes, and during the refresh, CSS pixels. */
export const PULL_HEIGHT = 56;

/** The maximum pull, CSS pixels. */
const MOST = 120;

/** How far the content follows a finger: half its way at first, then less and less. */
export function pulledHeight(way: number): number {
  if (way <= 0) return 0;
  return MOST * (1 - Math.exp(-way / (2 * MOST)));
}
