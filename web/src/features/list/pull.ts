/** Height of the head at which letting go refreshes, and while it does, CSS pixels. */
export const PULL_HEIGHT = 56;

/** Where the content cannot be pulled any further, CSS pixels. */
const MOST = 120;

/** How far the content has come for a finger's way: half as far at first, then less and less. */
export function pulledHeight(way: number): number {
  if (way <= 0) return 0;
  return MOST * (1 - Math.exp(-way / (2 * MOST)));
}
