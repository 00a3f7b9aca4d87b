import { expect, it } from "vitest";
import { parseStoryboard, pictureAt } from "./storyboard.ts";

const BASE = "https://example.com/media/k/storyboard.vtt";
const TEXT = `WEBVTT

1
00:00.000 --> 00:04.000
sheet0.jpg#xywh=0,0,160,90

00:04.000 --> 00:08.000 align:start
sheet0.jpg#xywh=160,0,160,90

01:00:00.000 --> 01:00:04.000
/media/k/sheet1.jpg#xywh=pixel:0,90,160,90
`;

it("reads times, sheets and places", () => {
  expect(parseStoryboard(TEXT, BASE)).toEqual([
    {
      start: 0,
      end: 4,
      sheet: "https://example.com/media/k/sheet0.jpg",
      x: 0,
      y: 0,
      width: 160,
      height: 90,
    },
    {
      start: 4,
      end: 8,
      sheet: "https://example.com/media/k/sheet0.jpg",
      x: 160,
      y: 0,
      width: 160,
      height: 90,
    },
    {
      start: 3600,
      end: 3604,
      sheet: "https://example.com/media/k/sheet1.jpg",
      x: 0,
      y: 90,
      width: 160,
      height: 90,
    },
  ]);
  expect(parseStoryboard(TEXT.replaceAll("\n", "\r\n"), BASE)).toHaveLength(3);
});

it("leaves out what is no picture", () => {
  const broken =
    "WEBVTT\n\nNOTE by hand\n\n00:00.000 --> 00:04.000\na.jpg\n\n00:00 --> 00:04\na.jpg#xywh=0,0,1,1\n\n";
  expect(parseStoryboard(broken, BASE)).toEqual([]);
  expect(parseStoryboard("", BASE)).toEqual([]);
  expect(parseStoryboard("WEBVTT\n\n00:00.000 --> 00:04.000\na.jpg#xywh=0,0,0,90", BASE)).toEqual(
    [],
  );
});

it("finds the picture of a moment", () => {
  const pictures = parseStoryboard(TEXT, BASE);
  expect([0, 3.9, 4, 1000, 9000].map((time) => pictureAt(pictures, time)?.start)).toEqual([
    0, 0, 4, 4, 3600,
  ]);
  expect(pictureAt([], 3)).toBeNull();
});
