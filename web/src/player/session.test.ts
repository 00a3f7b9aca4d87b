// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { PlaybackSession } from "./session.ts";
import type { PlaySource } from "./sources.ts";

// The test browser decodes nothing: what these tests follow is when playing is asked for.
let play: ReturnType<typeof vi.spyOn>;
let session: PlaybackSession;

beforeEach(() => {
  document.body.innerHTML = '<div id="stage"></div>';
  play = vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(() => Promise.resolve());
  vi.spyOn(HTMLMediaElement.prototype, "pause").mockImplementation(() => {});
  vi.spyOn(HTMLMediaElement.prototype, "load").mockImplementation(() => {});
  const file = (height: number): PlaySource => ({
    type: "video/mp4",
    url: `/media/${height}.mp4`,
    label: "MP4",
    height,
    bandwidth: 0,
  });
  session = new PlaybackSession({
    id: 1,
    sources: [file(720), file(360)],
    startAt: 0,
    duration: 60,
    rate: 1,
    quality: "auto",
    audio: "",
  });
});

afterEach(() => session.dispose());

/** As an element that can decode nothing more. */
function fail(): void {
  Object.defineProperty(session.video, "error", { configurable: true, value: { code: 3 } });
  // The first one turns it to the progressive file.
  for (let error = 0; error < 2; error += 1) session.video.dispatchEvent(new Event("error"));
  expect(session.state.phase).toBe("failed");
}

it("goes on where it failed once the network is back", () => {
  session.play();
  fail();
  play.mockClear();
  window.dispatchEvent(new Event("online"));
  expect(play).toHaveBeenCalled();
  expect(session.state.phase).toBe("loading");
});

it("opens what was paused, and stays silent, once the network is back", () => {
  session.play();
  session.pause();
  fail();
  play.mockClear();
  window.dispatchEvent(new Event("online"));
  expect(session.state.phase).toBe("loading");
  expect(play).not.toHaveBeenCalled();
});

it("opens another quality where it has failed", () => {
  session.play();
  fail();
  session.setQuality(360);
  expect(session.state).toMatchObject({ phase: "loading", failure: null, quality: 360 });
});
