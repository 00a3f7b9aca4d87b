import { describe, expect, it } from "vitest";
import { chosenAudio, tagOf } from "./audio-tracks.ts";

const track = (lang?: string) => (lang === undefined ? {} : { lang });

describe("chosenAudio", () => {
  const film = [track("zh"), track("zh-x-2"), track("yue"), track("en-x-c"), track("en"), track()];

  it("finds the track with the tag, or one in the same language", () => {
    expect(chosenAudio(film, "yue")).toBe(2);
    expect(chosenAudio(film, "zh-x-2")).toBe(1);
    expect(chosenAudio([track("ja"), track("zh")], "zh-x-2")).toBe(1);
  });

  it("finds none where the language is not there, or nothing was chosen", () => {
    expect(chosenAudio(film, "ja")).toBe(-1);
    expect(chosenAudio(film, "")).toBe(-1);
    expect(chosenAudio([], "zh")).toBe(-1);
  });

  it("never takes a commentary for the film's sound, nor the other way round", () => {
    expect(chosenAudio(film, "en-x-c")).toBe(3);
    expect(chosenAudio([track("ja"), track("en")], "en-x-c")).toBe(-1);
    expect(chosenAudio([track("en-x-c"), track("ja")], "en")).toBe(-1);
  });

  it("knows tracks of unknown languages by their place alone", () => {
    expect(chosenAudio(film, "und")).toBe(5);
    expect(chosenAudio([track(), track("und-x-2")], "und-x-2")).toBe(1);
    expect(chosenAudio([track(), track("en")], "und-x-2")).toBe(-1);
  });
});

it("gives a track without a language a tag", () => {
  expect(tagOf({ lang: "" })).toBe("und");
  expect(tagOf({ lang: "zh" })).toBe("zh");
});
