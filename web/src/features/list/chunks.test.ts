import { expect, it } from "vitest";
import { adAbove, chunksOf, groupSize, steadyCutter } from "./chunks.ts";

it.each([1, 2, 3, 4, 5, 6])("fills whole rows of %i columns", (columns) => {
  const size = groupSize(columns);
  expect(size % columns).toBe(0);
  expect(size).toBeLessThanOrEqual(40);
  expect(size).toBeGreaterThanOrEqual(35);
});

it("keeps the chunks of a list that grows", () => {
  const cut = steadyCutter<number>();
  const first = cut([1, 2, 3, 4, 5], 2);
  const grown = cut([1, 2, 3, 4, 5, 6, 7], 2);
  expect(grown.map((chunk) => chunk.items)).toEqual([[1, 2], [3, 4], [5, 6], [7]]);
  expect(grown.map((chunk, index) => chunk === first[index])).toEqual([true, true, false, false]);
  const shorter = cut([1, 3, 4, 5, 6, 7], 2);
  expect(shorter.map((chunk) => chunk.items)).toEqual([
    [1, 3],
    [4, 5],
    [6, 7],
  ]);
  expect(shorter.some((chunk) => grown.includes(chunk))).toBe(false);
  expect(cut([1, 3, 4, 5, 6, 7], 3)[0]).toEqual({ start: 0, items: [1, 3, 4] });
  const rows = steadyCutter<number>();
  expect(rows([1, 2, 3, 4], 2, 40).map((chunk) => chunk.start)).toEqual([40, 42]);
  expect(rows([1, 2, 3, 4], 2, 44).map((chunk) => chunk.start)).toEqual([44, 46]);
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
  expect(chunksOf(items, 24, 100).map((chunk) => chunk.start)).toEqual([100, 124, 148]);
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
