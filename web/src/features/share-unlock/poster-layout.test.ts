import { expect, it } from "vitest";
import { filling, MARGIN, POSTER_WIDTH, posterLayout, titleLines } from "./poster-layout.ts";

/** Every sign as wide as 10. */
const widthOf = (text: string) => Array.from(text).length * 10;

it.each([
  ["短", ["短"]],
  ["一二三四五六七", ["一二三四五", "六七"]],
  ["一二三四五六七八九十", ["一二三四五", "六七八九十"]],
  ["一二三四五六七八九十多", ["一二三四五", "六七八九…"]],
  ["一二三四 五六", ["一二三四", "五六"]],
  ["", []],
])("sets %j in %j", (title, lines) => expect(titleLines(title, 50, widthOf)).toEqual(lines));

it("cuts no sign that is made of several", () => {
  expect(titleLines("👩‍🚀👩‍🚀👩‍🚀", 60, widthOf)).toEqual(["👩‍🚀👩‍🚀", "👩‍🚀"]);
});

it("ends where not even one sign fits", () => expect(titleLines("字", 5, widthOf)).toEqual([]));

it.each([21, 33, 37, 57, 177])(
  "draws a code of %d modules in whole pixels, inside the poster",
  (modules) => {
    const { code, moduleSize, width, height, cover, lines } = posterLayout(2, modules);
    expect(Number.isInteger(moduleSize)).toBe(true);
    expect(code.width).toBe((modules + 8) * moduleSize);
    expect(code.x).toBeGreaterThanOrEqual(MARGIN);
    expect(code.x + code.width).toBe(POSTER_WIDTH - MARGIN);
    expect(code.y + code.height).toBe(height - MARGIN);
    expect(lines[0]).toBeGreaterThan(cover.y + cover.height);
    expect(lines[1]).toBeLessThan(code.y);
    expect(width).toBe(POSTER_WIDTH);
  },
);

it("fills the box with the middle of a picture of another shape", () => {
  const box = { x: 0, y: 0, width: 200, height: 100 };
  expect(filling({ width: 100, height: 400 }, box)).toEqual({
    x: 0,
    y: 175,
    width: 100,
    height: 50,
  });
  expect(filling({ width: 400, height: 100 }, box)).toEqual({
    x: 100,
    y: 0,
    width: 200,
    height: 100,
  });
});
