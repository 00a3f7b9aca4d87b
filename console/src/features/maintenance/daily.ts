const DAY = 1440;
const HOUR = 60;
const HOURS = 24;

/** A minute of the day in UTC, as the minute of this browser's day; `offset` as `Date` has it. */
function localMinute(minute: number, offset: number): number {
  return (((minute - offset) % DAY) + DAY) % DAY;
}

/** A minute of the day as a clock shows it: 04:00. */
function clockTime(minute: number): string {
  return [Math.floor(minute / HOUR), minute % HOUR]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
}

/**
 * The full hours of this browser's day, each with its minute of the day in UTC, and the time that is
 * set where it is no full hour here.
 */
export function dailyTimes(
  set: number,
  offset: number,
): readonly { readonly minute: number; readonly name: string }[] {
  const hours = Array.from({ length: HOURS }, (_, hour) => hour * HOUR);
  const shown = localMinute(set, offset);
  const all = hours.includes(shown) ? hours : [...hours, shown].sort((a, b) => a - b);
  return all.map((local) => ({ minute: localMinute(local, -offset), name: clockTime(local) }));
}
