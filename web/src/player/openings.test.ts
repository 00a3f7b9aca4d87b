// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";

const MASTER = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n360/index.m3u8\n";
const MEDIA =
  '#EXTM3U\n#EXT-X-MAP:URI="init.mp4"\n#EXTINF:1,\ns00001.m4s\n#EXTINF:1,\ns00002.m4s\n';

const RANGES = `#EXTM3U
#EXT-X-MAP:URI="a1b2c3.mp4",BYTERANGE="2@0"
#EXTINF:1,
#EXT-X-BYTERANGE:3@2
a1b2c3.mp4
`;

let asked: string[];
let listed: string;
let answerTo: (range: string) => Response;
let openings: typeof import("./openings.ts");

beforeEach(async () => {
  asked = [];
  listed = MEDIA;
  answerTo = (range) => {
    const [start = 0, end = 0] = range.replace("bytes=", "").split("-").map(Number);
    return new Response("iiaaabbb".slice(start, end + 1), { status: 206 });
  };
  vi.resetModules();
  openings = await import("./openings.ts");
  vi.stubGlobal("location", { href: "https://site.example/home" });
  vi.stubGlobal("fetch", async (url: string, { signal, headers }: RequestInit) => {
    signal?.throwIfAborted();
    const range = new Headers(headers).get("Range");
    asked.push(new URL(url).pathname + (range ? ` ${range}` : ""));
    if (url.includes("/absent/")) return new Response("", { status: 404 });
    if (url.endsWith("master.m3u8")) return new Response(MASTER);
    if (range) return answerTo(range);
    return new Response(url.endsWith(".m3u8") ? listed : "bytes");
  });
  return () => vi.unstubAllGlobals();
});

function take(url: string, start = 0, end = 0) {
  return openings.takeEarlyFile({ url, start, end });
}

it("fetches playlists, initialization section and first segment once", async () => {
  await openings.fetchOpening("/media/1/master.m3u8", "low");
  await openings.fetchOpening("https://site.example/media/1/master.m3u8", "high");
  const files = ["master.m3u8", "360/index.m3u8", "360/init.mp4", "360/s00001.m4s"];
  expect(asked).toEqual(files.map((file) => `/media/1/${file}`));
});

it("gives each file once, as the kind that it is", async () => {
  await openings.fetchOpening("/media/1/master.m3u8", "low");
  expect(await take("/media/1/master.m3u8")).toMatchObject({ data: MASTER });
  expect(take("/media/1/master.m3u8")).toBeUndefined();
  const segment = await take("https://site.example/media/1/360/s00001.m4s");
  expect(segment).toMatchObject({ data: expect.any(ArrayBuffer), bytes: 5 });
  expect(take("/media/1/360/s00002.m4s")).toBeUndefined();
});

it("keeps eight videos, the latest", async () => {
  for (let video = 1; video <= 9; video += 1)
    await openings.fetchOpening(`/media/${video}/master.m3u8`, "low");
  await Promise.resolve();
  expect(take("/media/1/360/init.mp4")).toBeUndefined();
  expect(take("/media/2/360/init.mp4")).toBeDefined();
});

it("stops the others when one is chosen, and asks again for what failed", async () => {
  const other = openings.fetchOpening("/media/2/master.m3u8", "low");
  openings.stopOtherOpenings("/media/1/master.m3u8");
  await expect(other).rejects.toThrow(/abort/i);
  await expect(openings.fetchOpening("/absent/master.m3u8", "low")).rejects.toThrow("404");
  await openings.fetchOpening("/media/2/master.m3u8", "low");
  expect(take("/media/2/360/init.mp4")).toBeDefined();
});

it("fetches the beginning of a rendition that is one file at once, and gives its parts", async () => {
  listed = RANGES;
  await openings.fetchOpening("/media/1/master.m3u8", "low");
  expect(asked).toEqual([
    "/media/1/master.m3u8",
    "/media/1/360/index.m3u8",
    "/media/1/360/a1b2c3.mp4 bytes=0-4",
  ]);
  const url = "/media/1/360/a1b2c3.mp4";
  expect(take(url)).toBeUndefined();
  for (const [start, end, text] of [
    [0, 2, "ii"],
    [2, 5, "aaa"],
  ] as const) {
    const file = await take(url, start, end);
    expect(new TextDecoder().decode(file?.data as ArrayBuffer)).toBe(text);
    expect(file?.bytes).toBe(text.length);
    expect(take(url, start, end)).toBeUndefined();
  }
});

it("fetches parts of two files one by one", async () => {
  listed = RANGES.replace("3@2", "3@4").replace('a1b2c3.mp4"', 'd4e5f6.mp4"');
  await openings.fetchOpening("/media/1/master.m3u8", "low");
  expect(asked.slice(2)).toEqual([
    "/media/1/360/d4e5f6.mp4 bytes=0-1",
    "/media/1/360/a1b2c3.mp4 bytes=4-6",
  ]);
});

it("takes no whole file for a range", async () => {
  listed = RANGES;
  answerTo = () => new Response("iiaaabbb");
  await expect(openings.fetchOpening("/media/1/master.m3u8", "low")).rejects.toThrow("200");
  expect(await take("/media/1/360/a1b2c3.mp4", 0, 2)).toBeUndefined();
});

it("takes no range that was cut short", async () => {
  answerTo = () => new Response("iia", { status: 206 });
  listed = RANGES;
  await expect(openings.fetchOpening("/media/1/master.m3u8", "low")).rejects.toThrow(
    "3 of 5 bytes",
  );
});

it("gives what is under way, and nothing where it fails", async () => {
  const answers: ((answer: Response) => void)[] = [];
  vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => answers.push(resolve)));
  const opening = openings.fetchOpening("/media/1/master.m3u8", "low");
  const master = take("/media/1/master.m3u8");
  answers[0]?.(new Response(MASTER));
  expect(await master).toMatchObject({ data: MASTER });
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  const media = take("/media/1/360/index.m3u8");
  answers[1]?.(new Response("", { status: 500 }));
  expect(await media).toBeUndefined();
  await expect(opening).rejects.toThrow("500");
});
