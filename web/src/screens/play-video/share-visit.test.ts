// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "@/shared/api/client.ts";
import { recordShareVisit } from "@/shared/api/share-calls.ts";
import { afterVisible, readShare, recordOnce } from "./share-visit.ts";

vi.mock("@/shared/api/share-calls.ts", () => ({ recordShareVisit: vi.fn() }));

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

it("sends an opening that was lost again, and one that was refused not", async () => {
  const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
  const record = vi.mocked(recordShareVisit);
  record.mockRejectedValueOnce(new ApiError("", 0)).mockResolvedValue(undefined as never);
  recordOnce("lost");
  await vi.advanceTimersByTimeAsync(5000);
  expect(record).toHaveBeenCalledTimes(2);
  recordOnce("lost");
  expect(record).toHaveBeenCalledTimes(2);
  record.mockRejectedValueOnce(new ApiError("", 404));
  recordOnce("refused");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(record).toHaveBeenCalledTimes(3);
  expect(warned).toHaveBeenCalledTimes(2);
  warned.mockClear();
});
