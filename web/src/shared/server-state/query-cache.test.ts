import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Query, QueryCache, SITE_FRESH_MS } from "./query-cache.ts";

const MINUTE = 60_000;

let cache: QueryCache;
let warned: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  vi.useFakeTimers();
  cache = new QueryCache();
  warned = vi.spyOn(console, "warn").mockImplementation(() => {});
});

afterEach(() => {
  vi.useRealTimers();
  warned.mockRestore();
});

/** A query that answers 1, 2, 3 … */
function counting(key = "a", freshMs?: number) {
  let count = 0;
  const load = vi.fn(async () => {
    count += 1;
    return count;
  });
  return { key, load, ...(freshMs === undefined ? {} : { freshMs }) } satisfies Query<number>;
}

const failing = (key = "a"): Query<number> => ({
  key,
  load: () => Promise.reject(new Error("no network")),
});

it("asks once, also when two views ask at the same time", async () => {
  const query = counting();
  await Promise.all([cache.ensure(query), cache.ensure(query), cache.fetch(query)]);
  await cache.ensure(query);
  expect(query.load).toHaveBeenCalledOnce();
  expect(cache.get("a")).toEqual({ data: 1, error: null, isFetching: false });
});

it("says that a request failed, logs it, and asks again when told to", async () => {
  await cache.ensure(failing());
  expect(cache.get("a")).toEqual({
    data: undefined,
    error: new Error("no network"),
    isFetching: false,
  });
  expect(warned).toHaveBeenCalledOnce();
  await expect(cache.fetch(failing())).rejects.toThrow("no network");
  await cache.ensure(counting());
  expect(cache.get("a")).toEqual({ data: 1, error: null, isFetching: false });
});

it("keeps what it knew where asking again fails, and asks at the next occasion", async () => {
  const query = counting();
  await cache.ensure(query);
  await cache.fetch(failing()).catch(() => {});
  expect(cache.get("a")).toMatchObject({ data: 1, error: new Error("no network") });
  await cache.ensure(query);
  expect(cache.get("a")).toEqual({ data: 2, error: null, isFetching: false });
});

it("shows the last response while it asks again", async () => {
  const query = counting();
  await cache.ensure(query);
  const asked = cache.fetch(query);
  expect(cache.get("a")).toEqual({ data: 1, error: null, isFetching: true });
  expect(await asked).toBe(2);
});

it("asks again what is no longer fresh", async () => {
  const query = counting("a", 5 * MINUTE);
  await cache.ensure(query);
  vi.advanceTimersByTime(5 * MINUTE - 1);
  await cache.ensure(query);
  expect(query.load).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  await cache.ensure(query);
  expect(query.load).toHaveBeenCalledTimes(2);
  expect(cache.get("b")).toEqual({ data: undefined, error: null, isFetching: false });
});

it("tells the observers of a key of each change until they leave", async () => {
  const [heard, other] = [vi.fn(), vi.fn()];
  const stop = cache.observe("a", heard);
  cache.observe("b", other);
  cache.set("a", 1);
  await cache.fetch(counting());
  expect(heard).toHaveBeenCalledTimes(3);
  stop();
  cache.set("a", 2);
  expect(heard).toHaveBeenCalledTimes(3);
  expect(other).not.toHaveBeenCalled();
});

it("asks again after an invalidation: at once where somebody looks, else when somebody does", async () => {
  const query = counting();
  const refetch = vi.fn();
  await cache.ensure(query);
  cache.invalidate("a");
  cache.invalidate("unknown");
  await cache.ensure(query);
  expect(query.load).toHaveBeenCalledTimes(2);
  cache.observe("a", () => {}, refetch);
  cache.observe("a", () => {}); // looks without asking
  cache.invalidate("a");
  expect(refetch).toHaveBeenCalledOnce();
});

it("makes what is not there, and anew when it is no longer fresh", () => {
  const make = vi.fn(() => ({}));
  const first = cache.getOrCreate("list", MINUTE, make);
  expect(cache.getOrCreate("list", MINUTE, make)).toBe(first);
  vi.advanceTimersByTime(MINUTE);
  expect(cache.getOrCreate("list", MINUTE, make)).not.toBe(first);
  expect(make).toHaveBeenCalledTimes(2);
});

it("drops what nobody has looked at for half an hour, but what lives as long as the page", async () => {
  await cache.ensure(counting("aging", MINUTE));
  await cache.ensure(counting("seen", MINUTE));
  await cache.ensure(counting("lasting"));
  await cache.ensure(counting("shared", SITE_FRESH_MS));
  const stop = cache.observe("seen", () => {});
  vi.advanceTimersByTime(31 * MINUTE);
  cache.observe("other", () => {})();
  expect(cache.get("aging").data).toBeUndefined();
  expect(cache.get("seen").data).toBe(1);
  expect(cache.get("lasting").data).toBe(1);
  expect(cache.get("shared").data).toBe(1);
  stop();
  expect(cache.get("seen").data).toBeUndefined();
});

it("keeps a failure for an observer who leaves and comes back at once, as React's do", async () => {
  const query = { ...failing(), freshMs: MINUTE };
  const stop = cache.observe("a", () => {});
  await cache.ensure(query);
  stop();
  cache.observe("a", () => {});
  expect(cache.get("a").error).toEqual(new Error("no network"));
});
