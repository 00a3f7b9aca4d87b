import { expect, it } from "vitest";
import type { StoryboardPicture } from "@/player/storyboard.ts";
import { choosePictures, PREVIEW_PICTURES } from "./choose-pictures.ts";

const ON_A_SHEET = 25;
const storyboard = (count: number): StoryboardPicture[] =>
  Array.from({ length: count }, (_, index) => ({
    start: index * 2,
    end: index * 2 + 2,
    sheet: `sheet${Math.floor(index / ON_A_SHEET)}.jpg`,
    x: 0,
    y: 0,
    width: 200,
    height: 112,
  }));

it("shows every picture of a short video", () => {
  for (const count of [0, 1, 6, PREVIEW_PICTURES]) {
    expect(choosePictures(storyboard(count))).toEqual(storyboard(count));
  }
});

it("spreads twelve over a longer one", () => {
  const starts = choosePictures(storyboard(24)).map(({ start }) => start);
  expect(starts).toEqual([0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44]);
  for (const count of [13, 25, 61, 250]) {
    const chosen = choosePictures(storyboard(count));
    expect(chosen).toHaveLength(PREVIEW_PICTURES);
    expect(chosen[0]?.start).toBe(0);
  }
});

it("takes them from three sheets at most, far apart", () => {
  const sheets = new Set(choosePictures(storyboard(250)).map(({ sheet }) => sheet));
  expect([...sheets]).toEqual(["sheet0.jpg", "sheet4.jpg", "sheet7.jpg"]);
});
