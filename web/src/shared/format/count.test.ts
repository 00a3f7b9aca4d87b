import { describe, expect, it } from "vitest";
import { formatShortCount, formatViews } from "./count.ts";

describe("formatViews", () => {
  it.each([
    [0, "0次"],
    [999, "999次"],
    [1000, "1,000次"],
    [1_284_035, "1,284,035次"],
    [-3, "0次"],
  ])("%d is %s", (count, text) => {
    expect(formatViews(count)).toBe(text);
  });
});

describe("formatShortCount", () => {
  it.each([
    [9999, "9,999"],
    [10_000, "1万"],
    [12_345, "1.2万"],
    [99_999, "9.9万"],
    [99_999_999, "9,999.9万"],
    [340_000_000, "3.4亿"],
  ])("%d is %s", (count, text) => {
    expect(formatShortCount(count)).toBe(text);
  });
});
