/**
 * Default interval for presses that send a request, milliseconds (specification §9,
 * docs/product.md#r28).
 */
export const THROTTLE_MS = 1000;

/**
 * A throttle for presses: the first passes, others within the time after it do not.
 *
 * @param wait - Milliseconds.
 * @returns A function that says whether a press passes.
 */
export function createThrottle(wait = THROTTLE_MS): (now?: number) => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return (now = performance.now()) => {
    if (now - last < wait) return false;
    last = now;
    return true;
  };
}
