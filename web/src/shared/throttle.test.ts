import { expect, it } from "vitest";
import { createThrottle, THROTTLE_MS } from "./throttle.ts";

it("lets one press pass in 1000 ms, from the one that passed on", () => {
  const passes = createThrottle();
  expect(THROTTLE_MS).toBe(1000);
  expect([0, 999, 1000, 1500, 2000].map((now) => passes(now))).toEqual([
    true,
    false,
    true,
    false,
    true,
  ]);
});
