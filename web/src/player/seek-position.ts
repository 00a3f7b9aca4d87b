import { clamp } from "@/shared/clamp.ts";

/** The part of a track at `left` of `width` px that the pointer at `x` px marks, 0 to 1. */
export function fractionAt(x: number, left: number, width: number): number {
  return width > 0 ? clamp((x - left) / width, 0, 1) : 0;
}

/**
 * The centre of a bubble `bubble` px wide that follows `fraction` of a box `box` px wide and keeps
 * `margin` px from its edges.
 */
export function bubbleCentre(
  fraction: number,
  box: number,
  bubble: number,
  margin: number,
): number {
  const half = bubble / 2 + margin;
  return box < half * 2 ? box / 2 : clamp(fraction * box, half, box - half);
}

/** End of the contiguous buffer from `at` on, in seconds; `at` itself if there is none. */
export function bufferedUntil(buffered: TimeRanges, at: number): number {
  for (let i = 0; i < buffered.length; i++) {
    // A tenth of tolerance: key frames seldom fall on the requested second.
    if (buffered.start(i) <= at + 0.1 && buffered.end(i) >= at) return buffered.end(i);
  }
  return at;
}
