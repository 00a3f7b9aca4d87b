import { expect, it } from "vitest";
import type { Video } from "@/shared/api/model.ts";
import { parseVideo } from "@/shared/storage/stored-video.ts";
import { BACKUP_FAVOURITES, formatBackup, mergeHistory, parseBackup } from "./backup-file.ts";

const NOW = new Date("2026-01-02T03:04:05Z");
const wire = (id: number, more: object = {}) => ({
  id,
  title: `视频 ${id}`,
  coverbase64: { url: "/enc/0.bin" },
  ...more,
});
const video = (id: number) => parseVideo(wire(id)) as Video;
const file = (content: object) =>
  JSON.stringify({ format: "liuying-backup", version: 1, ...content });
const idsOf = (videos: readonly Video[] = []) => videos.map(({ id }) => id);

it("reads what it wrote", () => {
  const text = formatBackup({ favourites: [3, 1], history: [video(2), video(5)] }, NOW);
  const backup = parseBackup(text);
  expect(backup?.favourites).toEqual([3, 1]);
  expect(idsOf(backup?.history)).toEqual([2, 5]);
  expect(backup?.history[0]).toEqual(video(2));
});

it.each([
  "",
  "null",
  "[]",
  "{",
  "<b>",
  "{}",
  '{"format":"other","version":1}',
  file({ version: 2 }),
  "�".repeat(100),
])("takes %j for no file of ours", (text) => expect(parseBackup(text)).toBeNull());

it("leaves out what is no video, and doubles", () => {
  const text = file({
    favourites: [1, "2", null, -3, 1, 2.5, 1e12, 4, {}],
    history: [
      wire(1),
      null,
      { id: 1 },
      wire(1),
      wire(2, { labls: [{ id: {}, name: [] }, 7], playtimes: {}, title: 5 }),
      wire(0),
    ],
  });
  expect(parseBackup(text)?.favourites).toEqual([1, 4]);
  expect(idsOf(parseBackup(text)?.history)).toEqual([1]);
});

it("turns members of a wrong type into their defaults, so that every screen can draw them", () => {
  const hostile = wire(1, {
    labls: [{ id: 1, name: {} }],
    playtimes: {},
    type_name: [],
    pageviews: "x",
    isLock: 1,
  });
  const found = parseBackup(file({ history: [hostile] }))?.history[0];
  expect(found).toMatchObject({
    labels: [],
    playTime: "",
    categoryName: "",
    pageViews: 0,
    isLocked: false,
    shareId: null,
  });
});

it("reads no more favourites than the cap, and survives missing lists", () => {
  const favourites = Array.from({ length: BACKUP_FAVOURITES + 5 }, (_, index) => index + 1);
  expect(parseBackup(file({ favourites }))?.favourites).toHaveLength(BACKUP_FAVOURITES);
  expect(parseBackup(file({ favourites: 7, history: {} }))).toEqual({
    favourites: [],
    history: [],
  });
});

it("puts a file's history behind the device's own", () => {
  expect(idsOf(mergeHistory([video(1), video(2)], [video(2), video(3)]))).toEqual([1, 2, 3]);
});
