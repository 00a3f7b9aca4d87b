import { expect, it } from "vitest";
import { PULL_HEIGHT, pulledHeight } from "./pull.ts";

it("follows the finger, ever harder, and never further than its end", () => {
  expect(pulledHeight(-20)).toBe(0);
  expect(pulledHeight(0)).toBe(0);
  expect(pulledHeight(20)).toBeGreaterThan(9);
  expect(pulledHeight(20)).toBeLessThan(10);
  const ways = [40, 80, 160, 320, 640].map(pulledHeight);
  expect(ways).toEqual([...ways].sort((a, b) => a - b));
  expect(Math.max(...ways)).toBeLessThan(120);
});

it("refreshes within a thumb's reach", () => {
  expect(pulledHeight(100)).toBeLessThan(PULL_HEIGHT);
  expect(pulledHeight(160)).toBeGreaterThan(PULL_HEIGHT);
});
