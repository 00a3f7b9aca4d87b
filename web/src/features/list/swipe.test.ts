import { describe, expect, it } from "vitest";
import { swipeStep, withResistance } from "./swipe.ts";

const still = { velocity: 0, width: 400, index: 1, count: 3 };

describe("swipeStep", () => {
  it("leads on from a quarter of the width", () => {
    expect(swipeStep({ ...still, dx: -100 })).toBe(1);
    expect(swipeStep({ ...still, dx: 100 })).toBe(-1);
    expect(swipeStep({ ...still, dx: -99 })).toBe(0);
  });

  it("leads on by a flick, and back by one against the drag", () => {
    expect(swipeStep({ ...still, dx: -30, velocity: -0.5 })).toBe(1);
    expect(swipeStep({ ...still, dx: -200, velocity: 0.5 })).toBe(0);
  });

  it("leads nowhere past the ends", () => {
    expect(swipeStep({ ...still, index: 2, dx: -300 })).toBe(0);
    expect(swipeStep({ ...still, index: 0, dx: 300 })).toBe(0);
  });
});

it("resists past the ends only", () => {
  expect(withResistance(-50, 1, 3)).toBe(-50);
  expect(withResistance(-50, 2, 3)).toBe(-15);
  expect(withResistance(50, 0, 3)).toBe(15);
});
