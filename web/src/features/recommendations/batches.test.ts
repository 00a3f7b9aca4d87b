import { describe, expect, it } from "vitest";
import { batchesOf, nextPlace } from "./batches.ts";

const pool = (size: number) => Array.from({ length: size }, (_, index) => index);

describe("batchesOf", () => {
  it("cuts 12 into 3 batches of 4", () => {
    expect(batchesOf(pool(12))).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
      [8, 9, 10, 11],
    ]);
  });

  it.each([
    [11, 2],
    [4, 1],
    [3, 1],
    [0, 1],
    [20, 3],
  ])("makes of %d videos %d batches", (size, count) => {
    expect(batchesOf(pool(size))).toHaveLength(count);
  });
});

describe("nextPlace", () => {
  it("goes through the batches and then asks for the next pool", () => {
    const first = { seed: 0, batch: 0 };
    const second = nextPlace(first, 3, 1);
    const third = nextPlace(second, 3, 1);
    expect([second, third, nextPlace(third, 3, 1)]).toEqual([
      { seed: 0, batch: 1 },
      { seed: 0, batch: 2 },
      { seed: 1, batch: 0 },
    ]);
  });
});
