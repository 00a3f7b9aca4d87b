import { describe, expect, it } from "vitest";
import { videoToWire } from "@/shared/storage/stored-video.ts";
import { blockFromWire, pageFromWire, safeLink, videoFromWire, videosFromWire } from "./mapping.ts";
import type { WireBlock, WireVideo } from "./wire.ts";

const wire: WireVideo = {
  id: 7,
  title: "外滩蓝调时刻",
  coverbase64: {
    url: "/enc/a.bin",
    type: "image/avif;kid=1",
    jpeg: "/enc/b.bin",
    thumb: "1QcSHQRnh493V4dIh4eXh1h4kJUI",
  },
  videopath: "/media/k/v1.m3u8",
  created_at: "2026-11-20T10:00:00.000Z",
  updated_at: "2026-11-21T10:00:00.000Z",
  pageviews: 1_284_035,
  playtimes: "12:05",
  duration: 725,
  width: 1280,
  height: 720,
  labls: [{ id: 1, name: "城市" }],
  type_id: 6,
  type_name: "城市",
  isLock: false,
  share_id: null,
  rank: null,
};

describe("videos", () => {
  it("survive the way to the domain and back", () => {
    const { type: _, ...cover } = wire.coverbase64;
    expect(videoToWire(videoFromWire(wire))).toEqual({ ...wire, coverbase64: cover });
  });

  it("whose title begins with ★ are left out; a star inside stays", () => {
    const titles = videosFromWire([
      { ...wire, title: "★推广" },
      { ...wire, title: "五★好评" },
    ]).map(({ title }) => title);
    expect(titles).toEqual(["五★好评"]);
  });

  it("end with a page without a next address, also an absent one", () => {
    const page = { data: [wire], total: 1, per_page: 24 };
    expect(pageFromWire({ ...page, next_page_url: "/api/x?page=2" }).hasNext).toBe(true);
    expect(pageFromWire({ ...page, next_page_url: null }).hasNext).toBe(false);
    expect(pageFromWire(page).hasNext).toBe(false);
    expect(pageFromWire({ ...page, next_page_url: "/api/x?after=5_7&page=2" }).after).toBe("5_7");
    expect(pageFromWire({ ...page, next_page_url: "/api/x?page=2" }).after).toBeUndefined();
  });
});

describe("links", () => {
  it.each(["https://example.com/a", "http://example.com/"])("%s may be followed", (url) => {
    expect(safeLink(url)).toBe(url);
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "//evil.example", "/home", "", "  "])(
    "%s may not",
    (url) => {
      expect(safeLink(url)).toBe("");
    },
  );
});

it("takes the advertisement out of a home block", () => {
  const ad = {
    kind: "ad",
    is_ad: true,
    id: 3,
    title: "春茶",
    text: "",
    url: "javascript:1",
    imgbase64: { url: "/enc/c.bin", type: "" },
    imgpath: "",
    seconds: 0,
  };
  const block = {
    id: 6,
    name: "城市",
    type_id: 6,
    list: [ad, { ...wire, kind: "video", is_ad: false }],
  } as WireBlock;
  const { videos, ad: found } = blockFromWire(block);
  expect(videos.map(({ id }) => id)).toEqual([7]);
  expect(found).toMatchObject({ kind: "ad", id: 3, url: "" });
});
