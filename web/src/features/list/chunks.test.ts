import { expect, it } from "vitest";
import { adAbove, chunkSize, chunksOf } from "./chunks.ts";

it.each([1, 2, 3, 4, 5, 6])("fills whole rows of %i columns", (columns) => {
  const size = chunkSize(columns);
  expect(size % columns).toBe(0);
  expect(size).toBeLessThanOrEqual(12);
  expect(size).toBeGreaterThanOrEqual(10);
});

it("cuts a list without losing an item", () => {
  const items = Array.from({ length: 50 }, (_, index) => index);
  const chunks = chunksOf(items, 24);
  expect(chunks.map((chunk) => [chunk.start, chunk.items.length])).toEqual([
    [0, 24],
    [24, 24],
    [48, 2],
  ]);
  expect(chunks.flatMap((chunk) => chunk.items)).toEqual(items);
});

it("puts an advertisement above items 5, 10, 15 and cycles", () => {
  const places = Array.from({ length: 21 }, (_, index) => adAbove(index, ["A", "B"]));
  expect(places.flatMap((ad, index) => (ad ? [[index + 1, ad]] : []))).toEqual([
    [5, "A"],
    [10, "B"],
    [15, "A"],
    [20, "B"],
  ]);
  expect(adAbove(4, [])).toBeUndefined();
});
