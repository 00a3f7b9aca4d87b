import { expect, test } from "vitest";
import { isEmpty, spoken } from "@/screens/audit/values.ts";

const CATEGORIES = new Map([[3, "旅行"]]);

test.each([
  ["role", "owner", "站长"],
  ["state", "new", "未处理"],
  ["state", "something", "something"],
  ["slot", "PLAYBEFORE", "播放之前"],
  ["kind", "checkin", "签到"],
  ["icon", "trophy", "奖杯"],
  ["is_hidden", true, "是"],
  ["is_hidden", false, "否"],
  ["note", "", "（无）"],
  ["videos", [101, 102], "101、102"],
  ["labels", ["海边", "夏天"], "海边、夏天"],
  ["category", 3, "旅行"],
  ["category", 4, "分类 4"],
  ["filter", { text: "清单", state: "hidden", label: "" }, "说明 清单，状态 已隐藏"],
])("%s %j is said as %s", (name, value, said) => {
  expect(spoken(name, value, CATEGORIES)).toBe(said);
});

test("a time is said in this browser's zone", () => {
  expect(spoken("created_at", "2026-11-25T10:30:00Z", CATEGORIES)).toMatch(/^2026\/11\/2/);
});

test.each([
  [null, true],
  ["", true],
  [[], true],
  [0, false],
  [false, false],
])("%j is empty: %s", (value, said) => {
  expect(isEmpty(value)).toBe(said);
});
