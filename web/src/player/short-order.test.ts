import { expect, it } from "vitest";
import { isSafe, placesBySlot, slotOf, windowAround } from "./short-order.ts";

it("keeps the clip on screen between its neighbours, and three slides at the beginning", () => {
  expect([0, 1, 2, 7].map(windowAround)).toEqual([
    [0, 1, 2],
    [0, 1, 2],
    [1, 2, 3],
    [6, 7, 8],
  ]);
});

it("gives every place the slot of its number modulo three", () => {
  for (let active = 0; active < 12; active += 1) {
    const places = placesBySlot(active);
    expect(places.map(slotOf)).toEqual([0, 1, 2]);
    expect(places).toContain(active);
  }
});

it("moves one slot a step: the two others keep what they hold", () => {
  for (let active = 1; active < 12; active += 1) {
    const [before, after] = [placesBySlot(active), placesBySlot(active + 1)];
    expect(before.filter((place, slot) => after[slot] !== place)).toHaveLength(1);
  }
});

it("lets the next clip load once the present one has four seconds ahead, or all that is left", () => {
  expect(isSafe(10, 13.9, 60)).toBe(false);
  expect(isSafe(10, 14, 60)).toBe(true);
  expect(isSafe(58, 59.9, 60)).toBe(true);
  expect(isSafe(58, 59, 60)).toBe(false);
  expect(isSafe(0, 0, Number.NaN)).toBe(false);
  expect(isSafe(0, 0, 0)).toBe(false);
});
