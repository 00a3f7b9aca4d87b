import { expect, it } from "vitest";
import { formatMegabytes } from "./file-size.ts";

it("keeps sizes short", () => {
  expect([0, 50_000, 640_000, 9_940_000, 36_400_000, 1_212_000_000].map(formatMegabytes)).toEqual([
    "<0.1 MB",
    "<0.1 MB",
    "0.6 MB",
    "9.9 MB",
    "36 MB",
    "1212 MB",
  ]);
});
