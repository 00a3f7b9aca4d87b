import { expect, it } from "vitest";
import { formatPlayTime } from "./play-time.ts";

it.each([
  [0, "00:00"],
  [7.9, "00:07"],
  [59.99, "00:59"],
  [60, "01:00"],
  [725, "12:05"],
  [3599, "59:59"],
  [3729, "1:02:09"],
  [Number.NaN, "00:00"],
  [Number.POSITIVE_INFINITY, "00:00"],
  [-4, "00:00"],
])("%d s reads %s", (seconds, text) => {
  expect(formatPlayTime(seconds)).toBe(text);
});
