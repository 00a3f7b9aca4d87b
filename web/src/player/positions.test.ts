import { describe, expect, it } from "vitest";
import { POSITIONS_CAP, parsePositions, rememberPosition, resumeAt } from "./positions.ts";

describe("resumeAt", () => {
  it("goes back to where the video was left", () => {
    expect(resumeAt(rememberPosition([], 7, 42.34, 90, 1), 7, 90)).toBe(42.3);
    expect(resumeAt([], 7, 90)).toBe(0);
  });

  it("starts over when little was seen and when the end is near", () => {
    for (const [at, duration] of [
      [4, 90],
      [86, 90],
      [8, 10],
    ] as const) {
      expect(rememberPosition([], 7, at, duration, 1)).toEqual([]);
    }
    expect(resumeAt([{ id: 7, at: 86, savedAt: 1 }], 7, 90)).toBe(0);
  });
});

describe("rememberPosition", () => {
  it("keeps one entry a video, newest first, and forgets the oldest", () => {
    let positions = rememberPosition([], 1, 20, 90, 1);
    positions = rememberPosition(positions, 2, 30, 90, 2);
    positions = rememberPosition(positions, 1, 40, 90, 3);
    expect(positions.map(({ id, at }) => [id, at])).toEqual([
      [1, 40],
      [2, 30],
    ]);
    for (let id = 10; id < 10 + POSITIONS_CAP; id++)
      positions = rememberPosition(positions, id, 30, 90, id);
    expect(positions).toHaveLength(POSITIONS_CAP);
    expect(positions[0]?.id).toBe(9 + POSITIONS_CAP);
  });

  it("forgets a video that was watched to its end", () => {
    expect(rememberPosition([{ id: 1, at: 20, savedAt: 1 }], 1, 89, 90, 2)).toEqual([]);
  });
});

describe("parsePositions", () => {
  it("drops what is not a position", () => {
    const good = { id: 1, at: 20, savedAt: 1 };
    expect(
      parsePositions([
        good,
        null,
        3,
        { id: "1" },
        { ...good, at: -1 },
        { ...good, at: Number.NaN },
      ]),
    ).toEqual([good]);
    expect(parsePositions("x")).toEqual([]);
    expect(parsePositions({ length: 1 })).toEqual([]);
  });
});
