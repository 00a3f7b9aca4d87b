import { expect, it } from "vitest";
import { contentLength, contentProblem, ISSUES, LONGEST } from "./feedback-rules.ts";

const EMPTY = "详情描述不能为空";
const LENGTH = "详情描述仅能介于 8 ~ 180 个字符";

it.each([
  ["", EMPTY],
  [" \n　\t", EMPTY],
  ["七个字不够长呢", LENGTH],
  ["   七个字不够长呢   ", LENGTH],
  ["八个字刚刚好了呢", null],
  ["😀".repeat(7), LENGTH],
  ["😀".repeat(8), null],
  ["😀".repeat(LONGEST), null],
  ["字".repeat(LONGEST + 1), LENGTH],
  [`  ${"字".repeat(LONGEST)}  `, null],
])("judges %j", (text, problem) => expect(contentProblem(text)).toBe(problem));

it("counts a character outside the first plane once", () =>
  expect(contentLength(" 𠮷野家 ")).toBe(3));

it("begins with what cannot be played", () => expect(ISSUES[0]).toBe("无法播放"));
