import { expect, it } from "vitest";
import { bubbleCentre, bufferedUntil, fractionAt } from "./seek-position.ts";

const ranges = (...pairs: [number, number][]): TimeRanges => ({
  length: pairs.length,
  start: (i) => pairs[i]?.[0] ?? 0,
  end: (i) => pairs[i]?.[1] ?? 0,
});

it("maps a pointer to a fraction of the track", () => {
  expect([0, 14, 195, 376, 390].map((x) => fractionAt(x, 14, 362))).toEqual([0, 0, 0.5, 1, 1]);
  expect(fractionAt(10, 0, 0)).toBe(0);
});

it("keeps the bubble 8 px inside", () => {
  expect([0, 0.5, 1].map((f) => bubbleCentre(f, 390, 160, 8))).toEqual([88, 195, 302]);
  expect(bubbleCentre(0.9, 100, 160, 8)).toBe(50);
});

it("finds the end of what is buffered around a position", () => {
  const buffered = ranges([0, 10], [20, 30]);
  expect([5, 10, 15, 19.95, 25].map((at) => bufferedUntil(buffered, at))).toEqual([
    10, 10, 15, 30, 30,
  ]);
});
