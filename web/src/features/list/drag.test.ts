import { describe, expect, it } from "vitest";
import { velocityOf } from "./drag.ts";

describe("velocityOf", () => {
  it("is the way of the last moves over their time", () => {
    const samples = [
      { dx: 0, dy: 0, at: 0 },
      { dx: 20, dy: 5, at: 50 },
      { dx: 60, dy: 10, at: 100 },
    ];
    expect(velocityOf(samples, 100)).toEqual({ dx: 0.6, dy: 0.1 });
  });

  it("is zero after a rest: old moves do not count", () => {
    const samples = [
      { dx: 0, dy: 0, at: 0 },
      { dx: 90, dy: 0, at: 40 },
    ];
    expect(velocityOf(samples, 400)).toEqual({ dx: 0, dy: 0 });
  });

  it("is zero for a single move", () => {
    expect(velocityOf([{ dx: 9, dy: 9, at: 5 }], 5)).toEqual({ dx: 0, dy: 0 });
  });
});
