import { expect, test } from "vitest";
import { momentOf, typedOf } from "@/features/content/moments.ts";

test("a moment that stays keeps its seconds, another one is what was typed", () => {
  const known = "2026-11-25T01:02:03Z";
  expect(momentOf(typedOf(known), known)).toBe(known);
  expect(momentOf("2026-11-26T08:00", known)).toBe(new Date("2026-11-26T08:00").toISOString());
});

test("no limit is no moment", () => {
  expect(typedOf(null)).toBe("");
  expect(momentOf("", "2026-11-25T01:02:03Z")).toBeNull();
});
