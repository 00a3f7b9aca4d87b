// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ShortReports } from "./short-reports.ts";
import { ShortSlot } from "./short-slot.ts";

let slot: ShortSlot;
let reports: string[];
let follower: ShortReports;
let time = 0;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(HTMLMediaElement.prototype, "pause").mockImplementation(() => {});
  vi.spyOn(HTMLMediaElement.prototype, "load").mockImplementation(() => {});
  reports = [];
  slot = new ShortSlot(() => {});
  Object.defineProperty(slot.video, "currentTime", { configurable: true, get: () => time });
  Object.defineProperty(slot.video, "duration", { configurable: true, get: () => 4 });
  Object.defineProperty(slot.video, "paused", { configurable: true, get: () => false });
  follower = new ShortReports((id, { event }) => reports.push(`${id} ${event}`));
});

afterEach(() => vi.useRealTimers());

const fire = (type: string) => slot.video.dispatchEvent(new Event(type));

function play(from: number, to: number): void {
  for (time = from; time <= to; time += 0.25) fire("timeupdate");
}

function show(id: number): void {
  slot.hold(id);
  follower.watch(slot);
  time = 0;
  fire("playing");
}

it("reports the start, and one view at 75 % however often the clip begins again", () => {
  show(7);
  play(0, 2.75);
  expect(reports).toEqual(["7 start"]);
  play(2.75, 4);
  play(0, 4);
  follower.watch(slot);
  play(0, 4);
  expect(reports).toEqual(["7 start", "7 view"]);
});

it("follows another clip in the same slot, and none that has left the screen", () => {
  show(7);
  show(8);
  play(0, 4);
  follower.watch(null);
  play(0, 4);
  expect(reports).toEqual(["7 start", "8 start", "8 view"]);
});

it("reports a stall that lasts, not the moment in which a clip begins again", () => {
  show(7);
  fire("waiting");
  vi.advanceTimersByTime(200);
  fire("timeupdate");
  vi.advanceTimersByTime(1000);
  expect(reports).toEqual(["7 start"]);
  fire("waiting");
  vi.advanceTimersByTime(400);
  fire("playing");
  expect(reports).toEqual(["7 start", "7 stall"]);
});

it("reports a clip that cannot be had, once", () => {
  show(7);
  slot.store.setState({ failed: true });
  slot.store.setState({ failed: true });
  expect(reports).toEqual(["7 start", "7 error"]);
});
