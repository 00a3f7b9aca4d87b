import { expect, test } from "vitest";
import { markupOf, textOf } from "@/screens/notices/notice-text.ts";

test.each([
  ["今晚维护", "<p>今晚维护</p>"],
  ["第一段\n\n第二段\n第二行", "<p>第一段</p><p>第二段<br>第二行</p>"],
  ["1 < 2 & 3", "<p>1 &lt; 2 &amp; 3</p>"],
  ["<b>重要</b>", "<b>重要</b>"],
])("%j is stored as %j", (text, markup) => {
  expect(markupOf(text)).toBe(markup);
});

test.each(["今晚维护", "第一段\n\n第二段\n第二行", "<ul><li>甲</li></ul>"])(
  "%j is the same when it is opened again",
  (text) => {
    expect(textOf(markupOf(text))).toBe(text);
  },
);

test("what would be read as markup stays markup", () => {
  const stored = "<p>&lt;b&gt;</p>";
  expect(markupOf(textOf(stored))).toBe(stored);
});
