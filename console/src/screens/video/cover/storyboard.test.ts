import { expect, test } from "vitest";
import { smallPictures, spread } from "@/screens/video/cover/storyboard.ts";

const TEXT = `WEBVTT

00:00.000 --> 00:02.000
sheet-0.jpg#xywh=0,0,200,112

1:00:02.500 --> 1:00:04.000
sheet-1.jpg#xywh=200,112,200,112

NOTE not a picture

00:04.000 --> 00:06.000
some words
`;

test("pictures are read with their times and places", () => {
  const found = smallPictures(TEXT, "http://localhost/api/videos/7/media/storyboard/board.vtt");
  expect(found).toEqual([
    {
      start: 0,
      sheet: "http://localhost/api/videos/7/media/storyboard/sheet-0.jpg",
      x: 0,
      y: 0,
      width: 200,
      height: 112,
    },
    {
      start: 3602.5,
      sheet: "http://localhost/api/videos/7/media/storyboard/sheet-1.jpg",
      x: 200,
      y: 112,
      width: 200,
      height: 112,
    },
  ]);
});

test("of many, some are chosen evenly, the first among them", () => {
  const all = Array.from({ length: 100 }, (_, place) => place);
  const found = spread(all, 12);
  expect([found.length, found[0], found.at(-1)]).toEqual([12, 0, 91]);
  expect(spread([1, 2], 12)).toEqual([1, 2]);
});
