// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { SHARE_VIDEOS } from "@/shared/storage/entries.ts";
import { read } from "@/shared/storage/registry.ts";
import { recordCount, withCount, withServersCounts } from "./counts.ts";

beforeEach(() => localStorage.clear());

it("puts the video that changed last first, and changes nothing where nothing changed", () => {
  const list = [
    { id: "1", count: 1 },
    { id: "2", count: 0 },
  ];
  expect(withCount(list, "2", 2)).toEqual([
    { id: "2", count: 2 },
    { id: "1", count: 1 },
  ]);
  expect(withCount(list, "1", 1)).toBe(list);
});

it("believes the server: other counts, other videos, and none that it does not know", () => {
  const stored = [
    { id: "9", count: 2 },
    { id: "1", count: 0 },
  ];
  const servers = [
    { id: "1", count: 2 },
    { id: "5", count: 1 },
  ];
  expect(withServersCounts(stored, servers)).toEqual([
    { id: "5", count: 1 },
    { id: "1", count: 2 },
  ]);
});

it("stores id!count and drops the oldest beyond 100", () => {
  for (let id = 1; id <= 101; id += 1) recordCount(id, 1);
  const list = read(SHARE_VIDEOS);
  expect(list).toHaveLength(100);
  expect(list[0]).toEqual({ id: "101", count: 1 });
  expect(list.some(({ id }) => id === "1")).toBe(false);
  expect(localStorage.getItem("shareVideos")).toContain("101!1");
});
