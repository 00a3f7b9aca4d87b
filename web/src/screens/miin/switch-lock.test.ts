import { expect, it } from "vitest";
import { SwitchLock } from "./switch-lock.ts";

it("lets one switch pass in half a second, from the one that passed on", () => {
  const lock = new SwitchLock();
  expect([0, 100, 499, 500, 900, 1000].map((now) => lock.pass(now))).toEqual([true, false, false, true, false, true]);
});
