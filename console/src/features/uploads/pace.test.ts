import { expect, test } from "vitest";
import { Pace } from "@/features/uploads/pace.ts";

test("nothing is said before there is something to go by", () => {
  const pace = new Pace();
  pace.note(0, 0);
  pace.note(1000, 1000);
  expect([pace.speed, pace.secondsFor(1)]).toEqual([null, null]);
  pace.note(4000, 2000);
  expect([pace.speed, pace.secondsFor(6000)]).toEqual([2000, 3]);
});

test("the last seconds count", () => {
  const pace = new Pace();
  for (let second = 0; second <= 60; second += 1) pace.note(second * 100, second * 1000);
  for (let second = 61; second <= 80; second += 1)
    pace.note(6000 + (second - 60) * 1000, second * 1000);
  expect(pace.speed).toBe(1000);
});

test("what does not move has no end", () => {
  const pace = new Pace();
  pace.note(5, 0);
  pace.note(5, 9000);
  expect([pace.speed, pace.secondsFor(10)]).toEqual([0, null]);
  pace.restart();
  expect(pace.speed).toBeNull();
});
