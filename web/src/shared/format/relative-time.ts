const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAYS_IN_MONTH = 30;
const DAYS_IN_YEAR = 365;

function clock(date: Date): string {
  return `${String(date.getHours()).padStart(2, "0")}:${String(date.getMinutes()).padStart(2, "0")}`;
}

/**
 * Calendar days between two moments on the visitor's clock; a day of 23 or 25 hours counts as one.
 */
function calendarDays(from: Date, to: Date): number {
  const start = Date.UTC(from.getFullYear(), from.getMonth(), from.getDate());
  const end = Date.UTC(to.getFullYear(), to.getMonth(), to.getDate());
  return (end - start) / (24 * HOUR);
}

/**
 * How long ago a moment was (specification §9; docs/product.md#r10): 刚刚, N分钟前, N小时前 on the same
 * calendar day, 昨天/前天 hh:mm, then days, months and years. A moment in the future is 刚刚: clocks
 * disagree.
 *
 * @param moment - Milliseconds since 1970.
 * @param now - Milliseconds since 1970.
 * @returns Empty for a moment that is not a number.
 */
export function formatRelativeTime(moment: number, now: number): string {
  if (!Number.isFinite(moment)) return "";
  const elapsed = now - moment;
  if (elapsed < MINUTE) return "刚刚";
  if (elapsed < HOUR) return `${Math.floor(elapsed / MINUTE)}分钟前`;
  const date = new Date(moment);
  const days = calendarDays(date, new Date(now));
  if (days === 0) return `${Math.floor(elapsed / HOUR)}小时前`;
  if (days === 1) return `昨天 ${clock(date)}`;
  if (days === 2) return `前天 ${clock(date)}`;
  if (days < DAYS_IN_MONTH) return `${days}天前`;
  if (days < DAYS_IN_YEAR) return `${Math.floor(days / DAYS_IN_MONTH)}个月前`;
  return `${Math.floor(days / DAYS_IN_YEAR)}年前`;
}
