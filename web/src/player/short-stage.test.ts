// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ShortStage } from "./short-stage.ts";
import type { PlaySource } from "./sources.ts";

// The test browser decodes nothing: what these tests follow is which clip is asked for and opened,
// and when.
const file = (id: number): PlaySource => ({
  type: "video/mp4",
  url: `/media/${id}/play.mp4`,
  label: "MP4",
  height: 360,
  bandwidth: 0,
});

function pretendBuffered(video: HTMLVideoElement, end: number): void {
  const ranges = { length: 1, start: () => 0, end: () => end };
  Object.defineProperty(video, "buffered", { configurable: true, get: () => ranges });
  Object.defineProperty(video, "duration", { configurable: true, get: () => 60 });
  Object.defineProperty(video, "currentTime", { configurable: true, writable: true, value: 0 });
}

let play: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  play = vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(() => Promise.resolve());
  vi.spyOn(HTMLMediaElement.prototype, "pause").mockImplementation(() => {});
  vi.spyOn(HTMLMediaElement.prototype, "load").mockImplementation(() => {});
});

function stageWith() {
  const asked: number[] = [];
  const stage = new ShortStage(async (id) => {
    asked.push(id);
    return [file(id)];
  });
  const show = (active: number) =>
    stage.show({ active, idAt: (place) => (place === 4 ? null : 100 + place), startAt: 0 });
  return { stage, asked, show };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

describe("the short stage", () => {
  it("asks for the next clip only once the present one is safe", async () => {
    const { stage, asked, show } = stageWith();
    show(0);
    await settled();
    expect(asked).toEqual([100]);
    const { video } = stage.slotAt(0);
    pretendBuffered(video, 3);
    video.dispatchEvent(new Event("progress"));
    expect(asked).toEqual([100]);
    pretendBuffered(video, 4);
    video.dispatchEvent(new Event("progress"));
    expect(asked).toEqual([100, 101]);
    video.dispatchEvent(new Event("timeupdate"));
    expect(asked).toEqual([100, 101]);
  });

  it("keeps what the two other slots hold at each step, and opens no clip twice", async () => {
    const { stage, asked, show } = stageWith();
    show(0);
    for (const place of [0, 1, 2]) pretendBuffered(stage.slotAt(place).video, 60);
    stage.slotAt(0).video.dispatchEvent(new Event("progress"));
    show(1);
    await settled();
    show(2);
    await settled();
    expect([0, 1, 2].map((place) => stage.slotAt(place).id)).toEqual([103, 101, 102]);
    expect(asked).toEqual([100, 101, 102, 103]);
  });

  it("goes past an advertisement: nothing plays, and the clip behind it is fetched", async () => {
    const { stage, asked, show } = stageWith();
    show(4);
    await settled();
    expect(stage.time).toBe(0);
    expect(play).not.toHaveBeenCalled();
    expect(asked).toEqual([105, 103]);
  });

  it("plays without sound where sound is refused, and pauses where all is refused", async () => {
    const refusal = () => Promise.reject(new DOMException("no gesture", "NotAllowedError"));
    vi.spyOn(console, "info").mockImplementation(() => {});
    play.mockImplementationOnce(refusal);
    const { stage, show } = stageWith();
    show(0);
    await settled();
    expect(stage.store.getState()).toEqual({ muted: true, paused: false });
    expect([0, 1, 2].map((place) => stage.slotAt(place).video.muted)).toEqual([true, true, true]);
    play.mockImplementation(refusal);
    show(1);
    await settled();
    expect(stage.store.getState()).toEqual({ muted: true, paused: true });
  });

  it("sets the clip that a finger draws in moving without sound, and gives it its sound on screen", async () => {
    const { stage, show } = stageWith();
    show(0);
    await settled();
    const { video } = stage.slotAt(1);
    const start = vi.fn<() => Promise<void>>(() => Promise.resolve());
    video.play = start;
    Object.defineProperty(video, "readyState", { configurable: true, value: 1 });
    stage.approach(1);
    expect(start).not.toHaveBeenCalled();
    Object.defineProperty(video, "readyState", { configurable: true, value: 4 });
    stage.approach(1);
    expect(start).toHaveBeenCalledOnce();
    expect(video.muted).toBe(true);
    Object.defineProperty(video, "paused", { configurable: true, value: false });
    video.src = "/media/101/play.mp4";
    show(1);
    expect(video.muted).toBe(false);
  });

  it("puts a clip back to where it stood when the finger lets go of it", async () => {
    const { stage, show } = stageWith();
    show(0);
    await settled();
    const { video } = stage.slotAt(1);
    pretendBuffered(video, 60);
    Object.defineProperty(video, "readyState", { configurable: true, value: 4 });
    stage.approach(1);
    video.currentTime = 0.3;
    const paused = vi.fn<() => void>();
    video.pause = paused;
    stage.approach(null);
    expect(paused).toHaveBeenCalledOnce();
    expect(video.currentTime).toBe(0);
  });

  it("frees every clip when it is left, and keeps the elements", async () => {
    const { stage, show } = stageWith();
    show(0);
    await settled();
    const before = [0, 1, 2].map((place) => stage.slotAt(place).video);
    stage.leave();
    expect(before.map((video) => video.getAttribute("src"))).toEqual([null, null, null]);
    show(7);
    expect([0, 1, 2].map((place) => stage.slotAt(place).video)).toEqual(before);
  });

  it("lets a pause from outside stand, and one that a hidden page brings not", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const { stage, show } = stageWith();
    show(0);
    await vi.runAllTimersAsync();
    const { video } = stage.slotAt(0);
    Object.defineProperty(video, "readyState", { configurable: true, get: () => 4 });
    Object.defineProperty(video, "paused", { configurable: true, get: () => true });
    play.mockClear();
    // As the headset is pulled out: the clock's last event comes before the pause's own.
    video.dispatchEvent(new Event("timeupdate"));
    video.dispatchEvent(new Event("pause"));
    video.dispatchEvent(new Event("progress"));
    expect(play).not.toHaveBeenCalled();
    vi.advanceTimersByTime(300);
    expect(stage.store.getState().paused).toBe(true);
    stage.toggle();
    expect(play).toHaveBeenCalledTimes(1);
    play.mockClear();

    const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(false);
    video.dispatchEvent(new Event("pause"));
    hidden.mockReturnValue(true);
    vi.advanceTimersByTime(300);
    expect(stage.store.getState().paused).toBe(false);
    expect(play).not.toHaveBeenCalled();
    hidden.mockReturnValue(false);
    document.dispatchEvent(new Event("visibilitychange"));
    expect(play).toHaveBeenCalled();
    vi.useRealTimers();
  });
});
