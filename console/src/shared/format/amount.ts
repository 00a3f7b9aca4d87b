const GROUPED = new Intl.NumberFormat("zh-CN");
const SIZE_UNITS = ["B", "KB", "MB", "GB", "TB"] as const;
const STEP = 1000;

/** A count with separators: 1,107,545. */
export function grouped(count: number): string {
  return GROUPED.format(count);
}

/** Bytes as people say them: 512 B, 3.2 GB. */
export function size(bytes: number): string {
  let left = bytes;
  let unit = 0;
  while (left >= STEP && unit < SIZE_UNITS.length - 1) {
    left /= STEP;
    unit += 1;
  }
  const shown = unit === 0 || left >= 100 ? String(Math.round(left)) : left.toFixed(1);
  return `${shown} ${SIZE_UNITS[unit]}`;
}
