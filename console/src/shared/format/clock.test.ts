import { expect, test } from "vitest";
import { clock, fromLocalInput, toLocalInput } from "@/shared/format/clock.ts";

test.each([
  [0, "0:00"],
  [391_000, "6:31"],
  [3_723_000, "1:02:03"],
])("%i ms are %s", (duration, text) => {
  expect(clock(duration)).toBe(text);
});

test("a time that was shown to be changed is the same again", () => {
  expect(fromLocalInput(toLocalInput("2026-11-25T10:30:00Z"))).toBe("2026-11-25T10:30:00.000Z");
});
