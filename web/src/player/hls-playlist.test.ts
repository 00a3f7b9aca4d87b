import { expect, it } from "vitest";
import { firstVariant, openingFiles } from "./hls-playlist.ts";

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

it("finds the files that the first picture needs", () => {
  const base = "http://site.test/media/k/360/index.m3u8";
  expect(openingFiles(MEDIA, base)).toEqual([
    "http://site.test/media/k/360/init.mp4",
    "http://site.test/media/k/360/s00001.m4s",
  ]);
  expect(openingFiles("#EXTM3U\n#EXTINF:2,\na.ts", base)).toEqual([
    "http://site.test/media/k/360/a.ts",
  ]);
  expect(openingFiles("", base)).toEqual([]);
});
