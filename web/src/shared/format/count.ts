/** Before each three digits from the end. */
const THOUSANDS = /\B(?=(?:\d{3})+$)/g;

const WAN = 10_000;
const YI = 100_000_000;

/**
 * `1,284,035`. Not by Intl: its first format loads language data for 25 ms and more before home can
 * be drawn.
 */
export function groupDigits(count: number): string {
  return String(Math.max(0, Math.trunc(count))).replace(THOUSANDS, ",");
}

/** A view count with thousands separators and its unit: `1,284,035次` (specification §9). */
export function formatViews(count: number): string {
  return `${groupDigits(count)}次`;
}

/** A count where room is short: `9,999`, `1.2万`, `3.4亿`. Cut, never rounded up: 99,999 is 9.9万. */
export function formatShortCount(count: number): string {
  const whole = Math.max(0, Math.trunc(count));
  if (whole < WAN) return groupDigits(whole);
  const [unit, name] = whole < YI ? [WAN, "万"] : [YI, "亿"];
  const tenths = Math.floor(whole / (unit / 10));
  const tenth = tenths % 10;
  return `${groupDigits(tenths / 10)}${tenth ? `.${tenth}` : ""}${name}`;
}
