import { clamp } from "@/shared/clamp.ts";

/**
 * Video elements of the feed, and slides in the document (specification §2): one shown, one above,
 * one below.
 */
export const SLOTS = 3;

/** Seconds that must be buffered for the current clip before the next one may be fetched. */
export const SAFE_S = 4;

/** The last picture's time stamp and the clip's length differ by up to this, in seconds. */
const END_TOLERANCE_S = 0.3;

/**
 * Places of the three slides around `active`: the first three at the beginning, else one above and
 * one below.
 */
export function windowAround(active: number): readonly number[] {
  const first = Math.max(0, active - 1);
  return Array.from({ length: SLOTS }, (_, offset) => first + offset);
}

/** The slot that plays a place of the feed. */
export function slotOf(place: number): number {
  return place % SLOTS;
}

/** Which place each slot holds while `active` is on screen. */
export function placesBySlot(active: number): readonly number[] {
  return [...windowAround(active)].sort((a, b) => slotOf(a) - slotOf(b));
}

/**
 * Whether a clip has enough ahead that fetching another one cannot make it stall. All in seconds.
 */
export function isSafe(time: number, bufferedUntil: number, duration: number): boolean {
  if (!(duration > 0)) return false;
  return bufferedUntil - time >= clamp(duration - time - END_TOLERANCE_S, 0, SAFE_S);
}
