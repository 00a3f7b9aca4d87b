// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import {
  changePreferences,
  parsePreferences,
  playerPreferences,
  storedPosition,
  storePosition,
} from "./preferences.ts";

beforeEach(() => localStorage.clear());

it("keeps what was chosen", () => {
  expect(playerPreferences()).toEqual({ rate: 1, quality: "auto", subtitles: "", audio: "" });
  changePreferences({ rate: 1.5 });
  changePreferences({ quality: 720 });
  expect(playerPreferences()).toEqual({ rate: 1.5, quality: 720, subtitles: "", audio: "" });
});

it("falls back to the defaults for what is not on offer", () => {
  expect(parsePreferences({ rate: 16, quality: -3 })).toEqual({
    rate: 1,
    quality: "auto",
    subtitles: "",
    audio: "",
  });
  expect(parsePreferences({ rate: "2", quality: "720" })).toEqual({
    rate: 1,
    quality: "auto",
    subtitles: "",
    audio: "",
  });
  expect(parsePreferences({ rate: 1, quality: "auto", subtitles: "a b<" }).subtitles).toBe("");
  expect(parsePreferences(null)).toEqual({ rate: 1, quality: "auto", subtitles: "", audio: "" });
});

it("remembers a position across visits", () => {
  storePosition(7, 40, 90, 1);
  expect(storedPosition(7, 90)).toBe(40);
  expect(storedPosition(8, 90)).toBe(0);
});
