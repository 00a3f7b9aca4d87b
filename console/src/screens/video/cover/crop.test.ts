import { expect, test } from "vitest";
import { cropOf, dragged, WHOLE_CUT } from "@/screens/video/cover/crop.ts";

const WIDE = 16 / 9;

test("a picture of the frame's own ratio is shown whole", () => {
  expect(cropOf(WHOLE_CUT, WIDE, WIDE)).toEqual({ left: 0, top: 0, width: 1, height: 1 });
});

test.each([
  ["an upright one", 9 / 16],
  ["a wide one", 3],
  ["a square one", 1],
])("%s is cut to the frame's ratio, its middle first", (_, picture) => {
  const crop = cropOf(WHOLE_CUT, picture, WIDE);
  expect((crop.width * picture) / crop.height).toBeCloseTo(WIDE);
  expect(Math.max(crop.width, crop.height)).toBe(1);
  expect(crop.left + crop.width / 2).toBeCloseTo(0.5);
  expect(crop.top + crop.height / 2).toBeCloseTo(0.5);
});

test("an enlarged one shows less, and nothing beyond its edges", () => {
  const crop = cropOf({ zoom: 4, x: 1, y: 0 }, 2, WIDE);
  expect(crop.left + crop.width).toBeCloseTo(1);
  expect([crop.top, crop.height]).toEqual([0, 0.25]);
});

test("a drag moves the picture with the finger, up to its edge", () => {
  const cut = { zoom: 2, x: 0.5, y: 0.5 };
  const crop = cropOf(cut, WIDE, WIDE);
  const after = dragged(cut, crop, 0.25, 0);
  expect(cropOf(after, WIDE, WIDE).left).toBeCloseTo(crop.left - 0.25 * crop.width);
  expect(after.y).toBe(0.5);
  expect(dragged(cut, crop, 9, -9)).toEqual({ zoom: 2, x: 0, y: 1 });
});

test("where nothing hangs over, a drag moves nothing", () => {
  const crop = cropOf(WHOLE_CUT, WIDE, WIDE);
  expect(dragged(WHOLE_CUT, crop, 0.5, 0.5)).toEqual(WHOLE_CUT);
});
