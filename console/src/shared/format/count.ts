const WHOLE = new Intl.NumberFormat("zh-CN");

/** A number with separators: `1,284,035`. */
export function count(value: number): string {
  return WHOLE.format(value);
}
