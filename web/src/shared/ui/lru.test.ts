import { expect, it } from "vitest";
import { EMPTY_CACHE, type LruCache, touch } from "./lru.ts";

const visit = (cache: LruCache<string>, ...keys: string[]) =>
  keys.reduce<LruCache<string>>(
    (state, key) => touch(state, key, key.toUpperCase(), 3, (value) => value !== "X"),
    cache,
  );

const keys = (cache: LruCache<string>) => cache.entries.map((entry) => entry.key);

it("keeps the order of the first visit", () => {
  expect(keys(visit(EMPTY_CACHE, "a", "b", "c", "a"))).toEqual(["a", "b", "c"]);
});

it("drops the least recently used beyond the limit", () => {
  expect(keys(visit(EMPTY_CACHE, "a", "b", "c", "a", "d"))).toEqual(["a", "c", "d"]);
});

it("drops what may not be kept as soon as another is used", () => {
  expect(keys(visit(EMPTY_CACHE, "a", "x"))).toEqual(["a", "x"]);
  expect(keys(visit(EMPTY_CACHE, "a", "x", "b"))).toEqual(["a", "b"]);
});

it("replaces the value in its place", () => {
  const cache = touch(visit(EMPTY_CACHE, "a", "b"), "a", "new", 3, () => true);
  expect(cache.entries).toEqual([
    { key: "a", value: "new" },
    { key: "b", value: "B" },
  ]);
});
