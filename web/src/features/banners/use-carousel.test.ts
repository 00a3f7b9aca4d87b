import { expect, it } from "vitest";
import { AUTOPLAY_MS, wrapIndex } from "./use-carousel.ts";

it.each([
  [0, 3, 0],
  [3, 3, 0],
  [-1, 3, 2],
  [7, 3, 1],
])("place %d of %d slides is %d", (index, count, place) => {
  expect(wrapIndex(index, count)).toBe(place);
});

it("shows a banner for 4000 ms", () => {
  expect(AUTOPLAY_MS).toBe(4000);
});
