import { expect, it } from "vitest";
import { reasonForMediaError, reasonForStatus } from "./failure.ts";

it("reads a status", () => {
  expect([404, 410, 401, 403, 500, 0].map((status) => reasonForStatus(status, true))).toEqual([
    "gone",
    "gone",
    "forbidden",
    "forbidden",
    "network",
    "network",
  ]);
  expect(reasonForStatus(0, false)).toBe("offline");
});

it("reads a media element's error", () => {
  expect([2, 3, 4].map((code) => reasonForMediaError(code, true))).toEqual([
    "network",
    "decode",
    "unsupported",
  ]);
  expect([2, 4].map((code) => reasonForMediaError(code, false))).toEqual(["offline", "offline"]);
});
