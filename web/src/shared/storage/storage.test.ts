// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Video } from "@/shared/api/model.ts";
import { LAST_READ, SHARE_VIDEOS, TOKEN, UUID } from "./entries.ts";
import { forgetWatched, recordWatched } from "./history.ts";
import {
  createCode,
  decodeVisitorId,
  encodeVisitorId,
  visitorCode,
  visitorId,
} from "./identity.ts";
import { read, remove, subscribe, write } from "./registry.ts";
import { HISTORY, HISTORY_CAP, SEARCH_HISTORY } from "./screen-entries.ts";

const video = (id: number): Video => ({
  kind: "video",
  id,
  title: `影片 ${id}`,
  cover: { url: "/enc/a.bin", jpeg: null, thumb: null },
  videoPath: "",
  createdAt: 1000,
  updatedAt: 2000,
  pageViews: 1,
  playTime: "00:01",
  duration: 1,
  width: 16,
  height: 9,
  labels: [],
  categoryId: 1,
  categoryName: "",
  isLocked: false,
  shareId: null,
  rank: null,
});

beforeEach(() => localStorage.clear());
afterEach(() => vi.restoreAllMocks());

describe("what is stored is never trusted", () => {
  it.each([
    [HISTORY, "{", []],
    [HISTORY, '{"a":1}', []],
    [HISTORY, '[1,null,{"id":"x"},{"id":1,"title":2}]', []],
    [SHARE_VIDEOS, '["7!2","x","7!-1",8]', [{ id: "7", count: 2 }]],
    [LAST_READ, "soon", 0],
    [LAST_READ, "-5", 0],
    [LAST_READ, "1764000000000", 1_764_000_000_000],
    [LAST_READ, "1764000000", 1_764_000_000_000],
    [LAST_READ, "2025-11-24T16:00:00Z", 1_764_000_000_000],
    [UUID, "<script>", ""],
    [TOKEN, "two words", ""],
  ] as const)("%o holding %s", (entry, text, value) => {
    localStorage.setItem(entry.key, text);
    expect(read<unknown>(entry as never)).toEqual(value);
  });

  it("survives storage that throws, and keeps the value for this page", () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
    vi.spyOn(window, "localStorage", "get").mockImplementation(() => {
      throw new DOMException("denied", "SecurityError");
    });
    expect(read(UUID)).toBe("");
    write(UUID, "abcdef");
    expect(read(UUID)).toBe("abcdef");
    remove(UUID);
    expect(read(UUID)).toBe("");
    expect(warned.mock.calls[0]?.[0]).toBe("儲存 localStorage 時發生錯誤");
    warned.mockClear();
  });

  it("gives the same object for the same text", () => {
    write(SHARE_VIDEOS, [{ id: "1", count: 1 }]);
    expect(read(SHARE_VIDEOS)).toBe(read(SHARE_VIDEOS));
  });
});

it("tells of changes until the listener leaves", () => {
  const heard = vi.fn();
  const stop = subscribe(UUID, heard);
  write(UUID, "abcdef");
  stop();
  write(UUID, "ghijkl");
  expect(heard).toHaveBeenCalledOnce();
});

describe("search history", () => {
  it("keeps no term twice and no comma inside a term", () => {
    write(SEARCH_HISTORY, ["猫，狗", "猫", "猫", " 猫 ", ",,", "a,b"]);
    expect(localStorage.getItem("listStr")).toBe("猫 狗,猫,a b");
    expect(read(SEARCH_HISTORY)).toEqual(["猫 狗", "猫", "a b"]);
  });
});

describe("watch history", () => {
  it("holds one entry a video, the newest first, in the wire's spelling", () => {
    for (const id of [1, 2, 1]) recordWatched(video(id));
    expect(read(HISTORY).map(({ id }) => id)).toEqual([1, 2]);
    expect(JSON.parse(localStorage.getItem("CM-H5:history") ?? "")[0]).toMatchObject({
      id: 1,
      coverbase64: { url: "/enc/a.bin" },
    });
    forgetWatched(1);
    expect(read(HISTORY)).toEqual([video(2)]);
  });

  it("is bounded", () => {
    write(
      HISTORY,
      Array.from({ length: HISTORY_CAP + 5 }, (_, id) => video(id + 1)),
    );
    expect(read(HISTORY)).toHaveLength(HISTORY_CAP);
    expect(read(HISTORY)[0]?.id).toBe(1);
  });
});

describe("identity", () => {
  it("draws codes of 12 characters of base 36, each likely alike", () => {
    const counts = new Map<string, number>();
    for (let round = 0; round < 3000; round += 1) {
      const code = createCode();
      expect(code).toMatch(/^[0-9a-z]{12}$/);
      for (const character of code) counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    // 1000 expected of each; six standard deviations are about 190.
    expect(Math.min(...counts.values())).toBeGreaterThan(800);
    expect(Math.max(...counts.values())).toBeLessThan(1200);
  });

  it("keeps the code and the visitor id", () => {
    expect(visitorCode()).toBe(visitorCode());
    expect(localStorage.getItem("uuid")).toBe(visitorCode());
    expect(visitorId()).toBe(visitorId());
    expect(decodeVisitorId(visitorId())).toMatch(/^[0-9a-f]{24}$/);
  });

  it("encodes a visitor id with cm and decodes nothing else", () => {
    expect(atob(encodeVisitorId("abc?>"))).toBe("abc?>cm");
    expect(encodeVisitorId("abc?>")).toMatch(/^[\w-]+$/);
    expect(decodeVisitorId(encodeVisitorId("abc?>"))).toBe("abc?>");
    expect(decodeVisitorId(btoa("abc"))).toBeNull();
    expect(decodeVisitorId("###")).toBeNull();
  });
});
