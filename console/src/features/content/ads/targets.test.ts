import { expect, test } from "vitest";
import { linkTo, targetOf } from "@/features/content/ads/targets.ts";

test.each([
  ["https://example.com/a?b=1", "url", "https://example.com/a?b=1"],
  ["/playVideo?id=12", "video", "12"],
  ["/topic?id=3", "topic", "3"],
  ["/topic?id=3&x=1", "url", "/topic?id=3&x=1"],
  ["", "url", ""],
])("%s leads to a %s", (url, kind, value) => {
  expect(targetOf(url)).toEqual({ kind, value });
  expect(linkTo(targetOf(url))).toBe(url);
});

test("a target that is not chosen yet leads nowhere", () => {
  expect(linkTo({ kind: "topic", value: "" })).toBe("");
});
