const FULL = new Intl.DateTimeFormat("zh-CN", {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;

/** A time of the wire in this browser's zone: `2026/11/25 09:30`. */
export function moment(text: string): string {
  return FULL.format(new Date(text));
}

/** Its day alone: `11/25` in this year, `2025/11/25` otherwise. */
export function day(text: string, now: number = Date.now()): string {
  const date = new Date(text);
  const said = `${date.getMonth() + 1}/${date.getDate()}`;
  const year = date.getFullYear();
  return year === new Date(now).getFullYear() ? said : `${year}/${said}`;
}

/** The hour of an hour's beginning, which is given in UTC (`2026-11-25T08:00`), in this browser's zone: `16 时`. */
export function hour(text: string): string {
  return `${String(new Date(`${text}Z`).getHours()).padStart(2, "0")} 时`;
}

/** How long ago a time of the wire was: 刚刚, 5 分钟前, 3 小时前, and the time itself after a day. */
export function ago(text: string, now: number = Date.now()): string {
  const seconds = (now - Date.parse(text)) / 1000;
  if (seconds < MINUTE_S) return "刚刚";
  if (seconds < HOUR_S) return `${Math.floor(seconds / MINUTE_S)} 分钟前`;
  if (seconds < DAY_S) return `${Math.floor(seconds / HOUR_S)} 小时前`;
  return moment(text);
}

/** A span of seconds as one would say it: 不到 1 分钟, 12 分钟, 1 小时 5 分. */
export function span(seconds: number): string {
  if (seconds < MINUTE_S) return "不到 1 分钟";
  const hours = Math.floor(seconds / HOUR_S);
  const minutes = Math.floor((seconds % HOUR_S) / MINUTE_S);
  if (hours === 0) return `${minutes} 分钟`;
  return minutes === 0 ? `${hours} 小时` : `${hours} 小时 ${minutes} 分`;
}
