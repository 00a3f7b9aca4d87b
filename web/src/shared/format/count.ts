/** Before each three digits from the end. */
const THOUSANDS = /\B(?=(?:\d{3})+$)/g;

/**
 * `1,284,035`. Without Intl: its first format loads language data for 25 ms and more before home
 * can be drawn.
 */
export function groupDigits(count: number): string {
  return String(Math.max(0, Math.trunc(count))).replace(THOUSANDS, ",");
}

/** A view count with thousands separators and its unit: `1,284,035次` (specification §9). */
export function formatViews(count: number): string {
  return `${groupDigits(count)}次`;
}
