import { describe, expect, it } from "vitest";
import { formatViews } from "./count.ts";

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
