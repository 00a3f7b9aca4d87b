import { expect, it } from "vitest";
import { type Kept, NOTHING_KEPT, use } from "./lru.ts";

const visit = (kept: Kept<string>, ...keys: string[]) =>
  keys.reduce<Kept<string>>(
    (state, key) => use(state, key, key.toUpperCase(), 3, (value) => value !== "X"),
    kept,
  );

const keys = (kept: Kept<string>) => kept.entries.map((entry) => entry.key);

it("keeps the order of the first visit", () => {
  expect(keys(visit(NOTHING_KEPT, "a", "b", "c", "a"))).toEqual(["a", "b", "c"]);
});

it("drops the least recently used beyond the limit", () => {
  expect(keys(visit(NOTHING_KEPT, "a", "b", "c", "a", "d"))).toEqual(["a", "c", "d"]);
});

it("drops what may not be kept as soon as another is used", () => {
  expect(keys(visit(NOTHING_KEPT, "a", "x"))).toEqual(["a", "x"]);
  expect(keys(visit(NOTHING_KEPT, "a", "x", "b"))).toEqual(["a", "b"]);
});

it("replaces the value in its place", () => {
  const kept = use(visit(NOTHING_KEPT, "a", "b"), "a", "new", 3, () => true);
  expect(kept.entries).toEqual([
    { key: "a", value: "new" },
    { key: "b", value: "B" },
  ]);
});
