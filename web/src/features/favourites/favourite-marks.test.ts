// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Video } from "@/shared/api/model.ts";
import { UUID } from "@/shared/storage/entries.ts";
import { read, write } from "@/shared/storage/registry.ts";
import { parseVideo } from "@/shared/storage/stored-video.ts";
import { CACHED_FAVOURITES, MAX_CACHED_FAVOURITES } from "./cached-favourites.ts";
import { askFavourite, favouriteMark, setFavourite } from "./favourite-marks.ts";

const CODE = "k7m2p9xq4t8w";
const video = (id: number) =>
  parseVideo({ id, title: `视频 ${id}`, coverbase64: { url: "" } }) as Video;

function answer(rescont: unknown, code = 200) {
  const envelope = { code, msg: "", rescont };
  return vi
    .spyOn(globalThis, "fetch")
    .mockImplementation(async () => Response.json(envelope, { status: code }));
}

let turn = 0;

beforeEach(() => {
  localStorage.clear();
  turn += 1;
  write(UUID, `${CODE.slice(0, 10)}${String(turn).padStart(2, "0")}`);
  vi.spyOn(console, "info").mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

it("marks at once, and takes the mark back where the server refuses", async () => {
  answer(null, 500);
  const setting = setFavourite(video(1), true);
  expect(favouriteMark(1)).toBe(true);
  await expect(setting).rejects.toThrow("网络异常，请稍后重试");
  expect(favouriteMark(1)).toBeUndefined();
});

it("does not let a late answer undo what was pressed since", async () => {
  answer({ ids: [] });
  const asking = askFavourite(1);
  await setFavourite(video(1), true);
  await asking;
  expect(favouriteMark(1)).toBe(true);
});

it("knows nothing under another code", async () => {
  answer({ ids: [1] });
  await askFavourite(1);
  expect(favouriteMark(1)).toBe(true);
  write(UUID, "another0code");
  expect(favouriteMark(1)).toBeUndefined();
});

it("keeps what is readable without a network up to date, and within its cap", async () => {
  answer(null);
  const code = read(UUID);
  const items = Array.from({ length: MAX_CACHED_FAVOURITES }, (_, index) => ({
    video: video(index + 10),
    favouritedAt: 1,
  }));
  write(CACHED_FAVOURITES, { code, total: 90, items });
  await setFavourite(video(1), true);
  expect(read(CACHED_FAVOURITES)).toMatchObject({
    total: 91,
    items: { length: MAX_CACHED_FAVOURITES, 0: { video: { id: 1 } } },
  });
  await setFavourite(video(1), false);
  expect(read(CACHED_FAVOURITES).total).toBe(90);
  expect(read(CACHED_FAVOURITES).items.map((item) => item.video.id)).not.toContain(1);
});

it("keeps the first favourites though their list was never opened", async () => {
  const code = read(UUID);
  const kept = {
    id: 7,
    created_at: "2026-11-24T00:00:00Z",
    video: { id: 7, title: "视频 7", coverbase64: { url: "" }, labls: [] },
  };
  answer({ data: [kept], total: 31, per_page: 24, next_page_url: null });
  await setFavourite(video(7), true);
  await vi.waitFor(() =>
    expect(read(CACHED_FAVOURITES)).toMatchObject({
      code,
      total: 31,
      items: [{ video: { id: 7 } }],
    }),
  );
});

it.each([
  "",
  "null",
  "[]",
  "{",
  '{"code":"a","items":7}',
  '{"code":"a","items":[null,{"video":{"id":"x"}},{"video":[]}]}',
])("reads nothing of %j", (text) => {
  localStorage.setItem(CACHED_FAVOURITES.key, text);
  expect(read(CACHED_FAVOURITES).items).toEqual([]);
});
