import { expect, it } from "vitest";
import { progressOf } from "./progress.ts";

it("locks a video below two visits and unlocks it from two on", () => {
  const counts = [
    { id: "7", count: 1 },
    { id: "8", count: 5 },
  ];
  expect(progressOf(6, true, counts)).toEqual({ count: 0, isUnlocked: false });
  expect(progressOf(7, true, counts)).toEqual({ count: 1, isUnlocked: false });
  expect(progressOf(8, true, counts)).toEqual({ count: 2, isUnlocked: true });
});

it("takes the server's word for an open video", () => {
  expect(progressOf(6, false, [])).toEqual({ count: 0, isUnlocked: true });
});
