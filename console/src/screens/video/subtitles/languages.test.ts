import { expect, test } from "vitest";
import { languageOf } from "@/screens/video/subtitles/languages.ts";

test.each([
  ["film.zh-Hans.srt", "zh-Hans"],
  ["film.chs.ass", "zh-Hans"],
  ["film.zh-TW.vtt", "zh-Hant"],
  ["第一集.繁體.srt", "zh-Hant"],
  ["film.en.forced.srt", "en"],
  ["film.JPN.srt", "ja"],
  ["film.srt", null],
  ["english.srt", null],
  ["film.center.srt", null],
])("%s says %s", (name, said) => {
  expect(languageOf(name)).toBe(said);
});
