import { expect, test } from "vitest";
import { windowText } from "@/features/content/windows.ts";
import { moment } from "@/shared/format/moment.ts";

const [START, END] = ["2026-11-25T01:00:00Z", "2026-12-01T01:00:00Z"];

test.each([
  [null, null, "一直显示"],
  [START, null, `从 ${moment(START)} 起`],
  [null, END, `到 ${moment(END)}`],
  [START, END, `${moment(START)} 到 ${moment(END)}`],
])("a window from %s until %s is %s", (starts, ends, text) => {
  expect(windowText(starts, ends)).toBe(text);
});
