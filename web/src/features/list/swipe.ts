/** Share of the width beyond which a release changes the pane. */
const FAR = 0.25;
/** A flick of at least this speed changes the pane, CSS pixels per millisecond. */
const FAST = 0.4;
/** How much of a drag beyond the first or last pane is followed. */
const RESISTANCE = 0.3;

export interface Swipe {
  /** Distance moved, CSS pixels; negative to the left. */
  readonly dx: number;
  /** CSS pixels a millisecond at the release. */
  readonly velocity: number;
  readonly width: number;
  /** Place of the pane, from 0. */
  readonly index: number;
  readonly count: number;
}

/**
 * Where a swipe leads: one pane forward, one back, or nowhere. A flick against the drag cancels it.
 */
export function swipeStep({ dx, velocity, width, index, count }: Swipe): -1 | 0 | 1 {
  const isFast = Math.abs(velocity) >= FAST;
  if (isFast ? velocity * dx < 0 : Math.abs(dx) < width * FAR) return 0;
  if (dx < 0) return index < count - 1 ? 1 : 0;
  return dx > 0 && index > 0 ? -1 : 0;
}

/** How far a pane follows the finger; reduced at either end. */
export function withResistance(dx: number, index: number, count: number): number {
  const isAtEnd = dx > 0 ? index === 0 : index === count - 1;
  return isAtEnd ? dx * RESISTANCE : dx;
}
