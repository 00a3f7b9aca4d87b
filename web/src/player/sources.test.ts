import { describe, expect, it } from "vitest";
import {
  addressFor,
  chooseEngine,
  fileAfterFailure,
  type PlaySource,
  qualityChoices,
} from "./sources.ts";

const hls = (url: string, height: number, bandwidth = 0): PlaySource => ({
  type: "application/vnd.apple.mpegurl",
  url,
  label: height === 0 ? "自动" : `${height}P`,
  height,
  bandwidth,
});
const file: PlaySource = {
  type: "video/mp4",
  url: "/play.mp4",
  label: "360P",
  height: 360,
  bandwidth: 0,
};
const ladder = [
  hls("/v2.m3u8", 0),
  hls("/360.m3u8", 360, 800_000),
  hls("/720.m3u8", 720, 2_800_000),
  file,
];
const chromium = { mediaSource: true, nativeHls: true, webkit: false };
const iphone = { mediaSource: false, nativeHls: true, webkit: true };
const safari = { mediaSource: true, nativeHls: true, webkit: true };
const old = { mediaSource: false, nativeHls: false, webkit: false };

describe("chooseEngine", () => {
  it("prefers WebKit's own HLS, elsewhere ours, and a plain file where neither works", () => {
    expect(chooseEngine(ladder, chromium)).toBe("hls");
    expect(chooseEngine(ladder, safari)).toBe("native");
    expect(chooseEngine(ladder, iphone)).toBe("native");
    expect(chooseEngine(ladder, { ...iphone, webkit: false })).toBe("native");
    expect(chooseEngine(ladder, old)).toBe("file");
    expect(chooseEngine([file], chromium)).toBe("file");
  });

  it("knows when nothing can play", () => {
    expect(chooseEngine(ladder.slice(0, 3), old)).toBeNull();
    expect(chooseEngine([], chromium)).toBeNull();
  });
});

describe("addressFor", () => {
  it("opens the master playlist, or for the browser's own player the rendition asked for", () => {
    expect(addressFor("hls", ladder, 720)).toBe("/v2.m3u8");
    expect(addressFor("native", ladder, "auto")).toBe("/v2.m3u8");
    expect(addressFor("native", ladder, 720)).toBe("/720.m3u8");
    expect(addressFor("native", ladder, 1080)).toBe("/v2.m3u8");
    expect(addressFor("file", ladder, "auto")).toBe("/play.mp4");
    expect(addressFor("file", [], "auto")).toBeNull();
  });
});

describe("qualityChoices", () => {
  it("lists 自动 first, then from the largest down, with the size of the whole video", () => {
    expect(qualityChoices(ladder, 60)).toEqual([
      { quality: "auto", label: "自动", bytes: 0 },
      { quality: 720, label: "720P", bytes: 21_000_000 },
      { quality: 360, label: "360P", bytes: 6_000_000 },
    ]);
  });

  it("offers nothing where there is nothing to choose from", () => {
    expect(qualityChoices([file], 60)).toEqual([]);
  });
});

describe("fileAfterFailure", () => {
  it("goes on with the plain file where HLS cannot be played", () => {
    expect(fileAfterFailure(ladder, "decode")).toBe(file);
    expect(fileAfterFailure(ladder, "unsupported")).toBe(file);
  });

  it("does not hide what another file would not mend", () => {
    for (const reason of ["offline", "network", "gone", "forbidden"] as const) {
      expect(fileAfterFailure(ladder, reason)).toBeNull();
    }
    expect(fileAfterFailure([hls("/v2.m3u8", 0)], "decode")).toBeNull();
  });
});
