// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { videoFromWire } from "@/shared/api/mapping.ts";
import { insertAt } from "@/shared/insert-at.ts";
import { recordWatched } from "@/shared/storage/history.ts";
import { read } from "@/shared/storage/registry.ts";
import { HISTORY } from "@/shared/storage/screen-entries.ts";
import { clearWatched, removeWatched } from "./watched.ts";

const video = (id: number) =>
  videoFromWire({
    id,
    title: `视频 ${id}`,
    coverbase64: { url: "/enc/0.bin" },
    videopath: "",
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
    pageviews: 1,
    playtimes: "00:10",
    duration: 10,
    width: 16,
    height: 9,
    labls: [],
    type_id: 1,
    type_name: "旅行",
    isLock: false,
    rank: null,
  });

const ids = () => read(HISTORY).map(({ id }) => id);

beforeEach(() => {
  localStorage.clear();
  for (const id of [3, 2, 1]) recordWatched(video(id));
});

it("removes a video and puts it back where it was", () => {
  const undo = removeWatched(video(2));
  expect(ids()).toEqual([1, 3]);
  undo();
  expect(ids()).toEqual([1, 2, 3]);
});

it("leaves a video that was watched again where that put it", () => {
  const undo = removeWatched(video(3));
  recordWatched(video(3));
  undo();
  expect(ids()).toEqual([3, 1, 2]);
});

it("clears all and brings all back behind what was watched since", () => {
  const undo = clearWatched();
  expect(ids()).toEqual([]);
  recordWatched(video(9));
  recordWatched(video(2));
  undo();
  expect(ids()).toEqual([2, 9, 1, 3]);
});

it("inserts at the end of a list that has become shorter", () => {
  expect(insertAt(["a"], 5, "b")).toEqual(["a", "b"]);
});
