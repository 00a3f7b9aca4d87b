import { expect, it } from "vitest";
import { deviceClassOf } from "./device-class.ts";

it.each([
  [360, "phone"],
  [767, "phone"],
  [768, "tablet"],
  [1023, "tablet"],
  [1024, "pc"],
  [2560, "pc"],
] as const)("a window of %d px is a %s", (width, device) => {
  expect(deviceClassOf(width)).toBe(device);
});
