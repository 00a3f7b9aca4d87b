// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { afterVisible, readShare } from "./share-visit.ts";

let visibility = "visible";

function show(state: "visible" | "hidden"): void {
  visibility = state;
  document.dispatchEvent(new Event("visibilitychange"));
}

beforeEach(() => {
  visibility = "visible";
  vi.useFakeTimers();
  vi.spyOn(document, "visibilityState", "get").mockImplementation(
    () => visibility as DocumentVisibilityState,
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("waits until the page has been visible for 3 s in all", () => {
  const done = vi.fn();
  afterVisible(3000, done);
  vi.advanceTimersByTime(2000);
  show("hidden");
  vi.advanceTimersByTime(60_000);
  expect(done).not.toHaveBeenCalled();
  show("visible");
  vi.advanceTimersByTime(999);
  expect(done).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(done).toHaveBeenCalledOnce();
  show("hidden");
  show("visible");
  vi.advanceTimersByTime(60_000);
  expect(done).toHaveBeenCalledOnce();
});

it("does not begin in a page that was opened in the background", () => {
  visibility = "hidden";
  const done = vi.fn();
  const end = afterVisible(3000, done);
  vi.advanceTimersByTime(60_000);
  show("visible");
  end();
  vi.advanceTimersByTime(60_000);
  expect(done).not.toHaveBeenCalled();
});

it.each([
  ["AAAAAf____________________8", 1],
  ["AAABAP____________________8", 256],
  ["", null],
  ["AAAAAP____________________8", null],
  ["AAAAB____________________", null],
  ["../../../../../../../../../", null],
  ["AAAAB____________________+/", null],
])("reads the video of %j as %j", (encoded, id) => {
  expect(readShare(encoded)?.videoId ?? null).toBe(id);
});

it("tells the link of somebody from a list's tile", () => {
  expect(readShare("AAAABwAAAAAAAAAB__________8")).toEqual({ videoId: 7, hasSharer: true });
  expect(readShare("AAAABwAAAAAAAAAA__________8")).toEqual({ videoId: 7, hasSharer: false });
});
