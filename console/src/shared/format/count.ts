const WHOLE = new Intl.NumberFormat("zh-CN");

/** A number with separators: `1,284,035`. */
export function count(value: number): string {
  return WHOLE.format(value);
}

const SHORT = new Intl.NumberFormat("zh-CN", { notation: "compact", maximumFractionDigits: 1 });

// Below it nothing gets shorter.
const SHORTENED = 10_000;

/** The same where room is short: `128.4万`. */
export function short(value: number): string {
  return value < SHORTENED ? count(value) : SHORT.format(value);
}
