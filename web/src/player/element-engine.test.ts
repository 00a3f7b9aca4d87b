// @vitest-environment happy-dom
import { expect, it, vi } from "vitest";
import { ElementEngine } from "./element-engine.ts";

/** An element as WebKit has it once it knows the playlist. */
function videoWith(...languages: string[]): HTMLVideoElement {
  const audioTracks = languages.map((language, at) => ({ language, enabled: at === 0 }));
  return Object.assign(document.createElement("video"), { audioTracks });
}

function heardIn(video: HTMLVideoElement): string[] {
  const { audioTracks } = video as unknown as {
    audioTracks: { language: string; enabled: boolean }[];
  };
  return audioTracks.filter((track) => track.enabled).map((track) => track.language);
}

function engineOf(video: HTMLVideoElement, audio: string) {
  const events = {
    onAttached: vi.fn(),
    onRecovered: vi.fn(),
    onHeight: vi.fn(),
    onFailure: vi.fn(),
    onAudio: vi.fn(),
  };
  const engine = new ElementEngine(video, (quality) => `/${quality}`, 0, "auto", events, { audio });
  video.dispatchEvent(new Event("loadedmetadata"));
  return { engine, events };
}

it("begins with the audio track in the language that was chosen last", () => {
  const video = videoWith("zh", "yue", "en");
  const { events } = engineOf(video, "yue");
  expect(heardIn(video)).toEqual(["yue"]);
  expect(events.onAudio).toHaveBeenLastCalledWith("yue");
});

it("leaves the choice to the element where nothing fits, and reports it", () => {
  const video = videoWith("zh", "yue");
  const { events } = engineOf(video, "ja");
  expect(heardIn(video)).toEqual(["zh"]);
  expect(events.onAudio).toHaveBeenLastCalledWith("zh");
});

it("keeps what is chosen in another quality's playlist", () => {
  const video = videoWith("zh", "yue");
  const { engine } = engineOf(video, "");
  engine.setAudio("yue");
  expect(heardIn(video)).toEqual(["yue"]);
  engine.setQuality(720);
  Object.assign(video, {
    audioTracks: [
      { language: "zh", enabled: true },
      { language: "yue", enabled: false },
    ],
  });
  video.dispatchEvent(new Event("loadedmetadata"));
  expect(heardIn(video)).toEqual(["yue"]);
});

it("reports nothing of a film with one track, or in a browser without a list of them", () => {
  const one = engineOf(videoWith("zh"), "yue");
  const none = engineOf(document.createElement("video"), "yue");
  expect(one.events.onAudio).not.toHaveBeenCalled();
  expect(none.events.onAudio).not.toHaveBeenCalled();
});
