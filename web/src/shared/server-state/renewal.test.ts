// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { queryCache, SITE_FRESH_MS } from "./query-cache.ts";
import { renewOnReturn } from "./renewal.ts";

const MINUTE = 60_000;
const load = vi.fn<() => Promise<number>>();
const heard = vi.fn();
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  load.mockReset().mockResolvedValue(2);
  heard.mockReset();
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

renewOnReturn();

/** A query whose response came with the document, and which is shown. */
async function show(key: string, freshMs: number): Promise<void> {
  queryCache.set(key, 1);
  stop = queryCache.observe(key, heard);
  await queryCache.ensure({ key, load, freshMs });
}

async function comeBack(event = new Event("visibilitychange")): Promise<void> {
  document.dispatchEvent(event);
  await vi.advanceTimersByTimeAsync(0);
}

it("renews what is shown and no longer fresh, and says nothing until the answer is there", async () => {
  await show("home", SITE_FRESH_MS);
  await comeBack();
  expect(load).not.toHaveBeenCalled();
  vi.advanceTimersByTime(SITE_FRESH_MS);
  document.dispatchEvent(new Event("visibilitychange"));
  expect(heard).not.toHaveBeenCalled();
  await comeBack();
  expect(load).toHaveBeenCalledOnce();
  expect(heard).toHaveBeenCalledOnce();
  expect(queryCache.get("home")).toEqual({ data: 2, error: null, isFetching: false });
});

it.each([
  ["answered", () => queryCache.set("overtaken", 3), 3],
  ["invalidated", () => queryCache.invalidate("overtaken"), 1],
])("drops an answer that comes after something else has %s", async (_, overtake, left) => {
  await show("overtaken", SITE_FRESH_MS);
  vi.advanceTimersByTime(SITE_FRESH_MS);
  let answer: (value: number) => void = () => {};
  load.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  await comeBack();
  overtake();
  answer(2);
  await vi.advanceTimersByTimeAsync(0);
  expect(queryCache.get("overtaken").data).toBe(left);
});

it("changes nothing where that fails, and tries again at the next return", async () => {
  const warned = vi.mocked(console.warn).mockImplementation(() => {});
  load.mockRejectedValue(new Error("no network"));
  await show("failing", SITE_FRESH_MS);
  vi.advanceTimersByTime(SITE_FRESH_MS);
  await comeBack();
  expect(queryCache.get("failing")).toEqual({ data: 1, error: null, isFetching: false });
  expect(heard).not.toHaveBeenCalled();
  await comeBack();
  expect(load).toHaveBeenCalledTimes(2);
  expect(warned).toHaveBeenCalledTimes(2);
  warned.mockClear();
});

it("tries again when a phone that woke up has a network, but not for a page that is hidden", async () => {
  await show("waking", SITE_FRESH_MS);
  vi.advanceTimersByTime(SITE_FRESH_MS);
  const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  await comeBack();
  window.dispatchEvent(new Event("online"));
  expect(load).not.toHaveBeenCalled();
  visibility.mockReturnValue("visible");
  window.dispatchEvent(new Event("online"));
  expect(load).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(0);
});

it("leaves alone what a page asked for itself, and what nobody looks at", async () => {
  await show("video", MINUTE);
  vi.advanceTimersByTime(SITE_FRESH_MS);
  await comeBack();
  stop();
  await show("unseen", SITE_FRESH_MS);
  stop();
  vi.advanceTimersByTime(SITE_FRESH_MS);
  await comeBack();
  expect(load).not.toHaveBeenCalled();
});
