import { expect, it } from "vitest";
import { grouped, size } from "@/shared/format/amount.ts";

it("groups digits", () => {
  expect(grouped(1107545)).toBe("1,107,545");
});

it.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 KB"],
  [3_240_000_000, "3.2 GB"],
  [512_400_000, "512 MB"],
  [5e15, "5000 TB"],
])("says %d bytes as %s", (bytes, said) => {
  expect(size(bytes)).toBe(said);
});
