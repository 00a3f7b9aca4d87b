import { expect, it } from "vitest";
import { createThrottle, THROTTLE_MS } from "./press-throttle.ts";

it("takes one press a second", () => {
  let now = 0;
  const passes = createThrottle(() => now);
  expect(passes()).toBe(true);
  now = THROTTLE_MS - 1;
  expect(passes()).toBe(false);
  now = THROTTLE_MS;
  expect(passes()).toBe(true);
});
