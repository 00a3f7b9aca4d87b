const WHOLE = new Intl.NumberFormat("zh-CN");

/** A number with separators: `1,284,035`. */
export function count(value: number): string {
  return WHOLE.format(value);
}

const SHORT = new Intl.NumberFormat("zh-CN", { notation: "compact", maximumFractionDigits: 1 });

/** The same where room is short: `128.4万`. */
export function short(value: number): string {
  return SHORT.format(value);
}
