import { expect, it } from "vitest";
import { firstVariant, openingParts } from "./hls-playlist.ts";

const MASTER = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-STREAM-INF:BANDWIDTH=800000,CODECS="avc1.4d401e,mp4a.40.2",RESOLUTION=640x360
360/index.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=2800000,RESOLUTION=1280x720
720/index.m3u8
`;
const MEDIA = `#EXTM3U\r
#EXT-X-TARGETDURATION:2\r
#EXT-X-MAP:URI="init.mp4"\r
#EXTINF:1.0,\r
s00001.m4s\r
#EXTINF:1.0,\r
s00002.m4s\r
#EXT-X-ENDLIST\r
`;
const BASE = "http://site.test/media/k/v1.m3u8";

it("finds the rung that is listed first", () => {
  expect(firstVariant(MASTER, BASE)).toBe("http://site.test/media/k/360/index.m3u8");
  expect(firstVariant(MEDIA, BASE)).toBeNull();
  expect(firstVariant("", BASE)).toBeNull();
});

const FOLDER = "http://site.test/media/k/360/";

it("finds the files that the first picture needs", () => {
  expect(openingParts(MEDIA, `${FOLDER}index.m3u8`)).toEqual([
    { url: `${FOLDER}init.mp4`, start: 0, end: 0 },
    { url: `${FOLDER}s00001.m4s`, start: 0, end: 0 },
  ]);
  expect(openingParts("#EXTM3U\n#EXTINF:2,\na.ts", FOLDER)).toEqual([
    { url: `${FOLDER}a.ts`, start: 0, end: 0 },
  ]);
  expect(openingParts("", FOLDER)).toEqual([]);
});

it("finds the ranges of one file that the first picture needs", () => {
  const ranges = `#EXTM3U
#EXT-X-MAP:URI="a1b2c3.mp4",BYTERANGE="800@0"
#EXTINF:1,
#EXT-X-BYTERANGE:5000@800
a1b2c3.mp4
#EXTINF:1,
#EXT-X-BYTERANGE:7000
a1b2c3.mp4
#EXT-X-ENDLIST
`;
  const url = `${FOLDER}a1b2c3.mp4`;
  expect(openingParts(ranges, `${FOLDER}index.m3u8`)).toEqual([
    { url, start: 0, end: 800 },
    { url, start: 800, end: 5800 },
  ]);
});
