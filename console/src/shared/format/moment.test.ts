import { expect, test } from "vitest";
import { ago, day, hour, span } from "@/shared/format/moment.ts";

const NOW = Date.parse("2026-11-25T10:00:00Z");

test.each([
  ["2026-11-25T09:59:30Z", "刚刚"],
  ["2026-11-25T10:00:30Z", "刚刚"],
  ["2026-11-25T09:48:00Z", "12 分钟前"],
  ["2026-11-25T07:00:00Z", "3 小时前"],
])("%s was %s", (text, said) => {
  expect(ago(text, NOW)).toBe(said);
});

test("after a day the time itself is said", () => {
  expect(ago("2026-11-20T07:00:00Z", NOW)).toMatch(/^2026\/11\/20/);
});

test.each([
  [3, "不到 1 分钟"],
  [720, "12 分钟"],
  [3600, "1 小时"],
  [3900, "1 小时 5 分"],
])("%i seconds are %s", (seconds, said) => {
  expect(span(seconds)).toBe(said);
});

test("an hour of UTC is said in this zone", () => {
  const local = new Date(Date.UTC(2026, 10, 25, 3)).getHours();
  expect(hour("2026-11-25T03:00")).toBe(`${String(local).padStart(2, "0")} 时`);
});

test("a day is said without its year where that is this one", () => {
  expect(day("2026-03-05T10:00:00Z", NOW)).toBe("3/5");
  expect(day("2025-12-15T10:00:00Z", NOW)).toBe("2025/12/15");
});
