// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { PlayOrder } from "./playback-state.ts";
import { prepareSession, takeSession } from "./session-slot.ts";

// The test browser decodes nothing, so a session here is one that fails: its life is what these
// tests follow.
const order = (id: number): PlayOrder => ({
  id,
  sources: [],
  startAt: 0,
  duration: 60,
  rate: 1,
  quality: "auto",
  audio: "",
});

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(HTMLMediaElement.prototype, "pause").mockImplementation(() => {});
  return () => {
    takeSession(order(0)).dispose();
    vi.useRealTimers();
  };
});

describe("the stage", () => {
  it("holds one session: a second one ends the first", () => {
    const first = takeSession(order(1));
    const second = takeSession(order(2));
    expect(first.signal.aborted).toBe(true);
    expect(first.state.phase).toBe("disposed");
    expect(second.signal.aborted).toBe(false);
    expect(second.video).toBe(first.video);
  });

  it("refuses to prepare while a video is being watched", () => {
    const watched = takeSession(order(1));
    expect(prepareSession(order(2))).toBe(false);
    expect(watched.signal.aborted).toBe(false);
    watched.dispose();
    expect(prepareSession(order(2))).toBe(true);
  });

  it("does not start a failed preparation over and over, nor hand it to the page", () => {
    expect(prepareSession(order(1))).toBe(true);
    expect(prepareSession(order(1))).toBe(true);
    const taken = takeSession(order(1));
    expect(taken.signal.aborted).toBe(false);
    expect(taken.state.failure?.reason).toBe("unsupported");
  });
});

describe("a session", () => {
  it("leaves nothing behind", () => {
    const session = takeSession(order(1));
    document.body.append(session.video);
    session.dispose();
    expect(document.querySelector("video")).toBeNull();
    session.dispose();
    expect(session.state.phase).toBe("disposed");
  });

  it("keeps a seek inside the video", () => {
    const session = takeSession(order(1));
    session.seek(-5);
    expect(session.state.time).toBe(0);
    session.seek(500);
    expect(session.state.time).toBe(60);
  });
});
