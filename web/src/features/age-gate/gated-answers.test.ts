// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { confirmAge } from "@/shared/api/age.ts";
import { fetchGatedPlay, fillCovers, gatedItems } from "./gated-answers.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

const gated = (id: number) => ({ id, isGated: true as const, coverbase64: { url: "" } });
const open = (id: number) => ({ id, coverbase64: { url: `/enc/${id}.bin` } });

/** Answers as the server does; the requests that came. */
function serve(): { address: string; headers: Record<string, string> }[] {
  const asked: { address: string; headers: Record<string, string> }[] = [];
  vi.stubGlobal("fetch", async (address: string, { headers }: RequestInit) => {
    asked.push({ address, headers: headers as Record<string, string> });
    const url = new URL(address, "https://site.example");
    const ids = (url.searchParams.get("ids") ?? "").split(",").map(Number);
    const rescont = url.pathname.includes("videoplay")
      ? { cover_keys: { 255: "key" }, play: { ...gated(7), videopath: "/media/r/x/v1.m3u8" } }
      : {
          cover_keys: { 255: "key" },
          data: ids.map((id) => ({ id, coverbase64: { url: `/enc/g${id}.bin` } })),
        };
    return Response.json({ code: 200, msg: "", rescont });
  });
  return asked;
}

test("gated videos are found wherever they stand", () => {
  const answer = {
    data: [open(1), gated(2)],
    blocks: [{ list: [gated(3)] }],
    favourite: { video: gated(4) },
    play: null,
  };
  expect(gatedItems(answer).map(({ id }) => id)).toEqual([2, 3, 4]);
  expect(gatedItems([open(1), "text", 5, null])).toEqual([]);
  expect(gatedItems(gated(9)).map(({ id }) => id)).toEqual([9]);
});

test("covers are asked for once a video, a hundred at a time, with the answer", async () => {
  confirmAge();
  const asked = serve();
  const items = [...Array.from({ length: 150 }, (_, index) => gated(index + 1)), gated(1)];
  expect(await fillCovers(items)).toEqual({ 255: "key" });
  expect(asked).toHaveLength(2);
  expect(asked[0]?.headers["X-Age-Confirmed"]).toBe("1");
  expect(items.every(({ id, coverbase64 }) => coverbase64.url === `/enc/g${id}.bin`)).toBe(true);
});

test("a page's answer has no path that the history could keep", async () => {
  confirmAge();
  serve();
  const { keys, play } = await fetchGatedPlay(7);
  expect(keys).toEqual({ 255: "key" });
  expect(play).toMatchObject({ id: 7, videopath: "" });
});

test("without the answer there is no header", async () => {
  const asked = serve();
  await fetchGatedPlay(7);
  expect(asked[0]?.headers).not.toHaveProperty("X-Age-Confirmed");
});
