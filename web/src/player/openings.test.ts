// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";

const MASTER = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n360/index.m3u8\n";
const MEDIA =
  '#EXTM3U\n#EXT-X-MAP:URI="init.mp4"\n#EXTINF:1,\ns00001.m4s\n#EXTINF:1,\ns00002.m4s\n';

let asked: string[];
let openings: typeof import("./openings.ts");

beforeEach(async () => {
  asked = [];
  vi.resetModules();
  openings = await import("./openings.ts");
  vi.stubGlobal("location", { href: "https://site.example/home" });
  vi.stubGlobal("fetch", async (url: string, { signal }: RequestInit) => {
    signal?.throwIfAborted();
    asked.push(new URL(url).pathname);
    if (url.includes("/absent/")) return new Response("", { status: 404 });
    if (url.endsWith("master.m3u8")) return new Response(MASTER);
    return new Response(url.endsWith(".m3u8") ? MEDIA : "bytes");
  });
  return () => vi.unstubAllGlobals();
});

it("fetches playlists, initialization section and first segment once", async () => {
  await openings.fetchOpening("/media/1/master.m3u8", "low");
  await openings.fetchOpening("https://site.example/media/1/master.m3u8", "high");
  const files = ["master.m3u8", "360/index.m3u8", "360/init.mp4", "360/s00001.m4s"];
  expect(asked).toEqual(files.map((file) => `/media/1/${file}`));
});

it("gives each file once, as the kind that it is", async () => {
  await openings.fetchOpening("/media/1/master.m3u8", "low");
  expect(openings.takeEarlyFile("/media/1/master.m3u8")).toMatchObject({ data: MASTER });
  expect(openings.takeEarlyFile("/media/1/master.m3u8")).toBeUndefined();
  const segment = openings.takeEarlyFile("https://site.example/media/1/360/s00001.m4s");
  expect(segment).toMatchObject({ data: expect.any(ArrayBuffer), bytes: 5 });
  expect(openings.takeEarlyFile("/media/1/360/s00002.m4s")).toBeUndefined();
});

it("keeps eight videos, the latest", async () => {
  for (let video = 1; video <= 9; video += 1)
    await openings.fetchOpening(`/media/${video}/master.m3u8`, "low");
  await Promise.resolve();
  expect(openings.takeEarlyFile("/media/1/360/init.mp4")).toBeUndefined();
  expect(openings.takeEarlyFile("/media/2/360/init.mp4")).toBeDefined();
});

it("stops the others when one is chosen, and asks again for what failed", async () => {
  const other = openings.fetchOpening("/media/2/master.m3u8", "low");
  openings.stopOtherOpenings("/media/1/master.m3u8");
  await expect(other).rejects.toThrow(/abort/i);
  await expect(openings.fetchOpening("/absent/master.m3u8", "low")).rejects.toThrow("404");
  await openings.fetchOpening("/media/2/master.m3u8", "low");
  expect(openings.takeEarlyFile("/media/2/360/init.mp4")).toBeDefined();
});
