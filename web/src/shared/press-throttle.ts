/** Presses that send a request are taken one at a time, this far apart (specification §9; readings 28), milliseconds. */
export const THROTTLE_MS = 1000;

/**
 * Lets the first press through and none that follows within {@link THROTTLE_MS}.
 *
 * @param now - Milliseconds of a clock that never goes back.
 * @returns A function that says whether a press now counts.
 */
export function createThrottle(now: () => number = () => performance.now()): () => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const moment = now();
    if (moment - last < THROTTLE_MS) return false;
    last = moment;
    return true;
  };
}
