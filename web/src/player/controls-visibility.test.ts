import { beforeEach, expect, it, vi } from "vitest";
import { ControlsVisibility } from "./controls-visibility.ts";

let controls: ControlsVisibility;
const visible = () => controls.store.getState().visible;

beforeEach(() => {
  vi.useFakeTimers();
  controls = new ControlsVisibility(new AbortController().signal);
  return () => vi.useRealTimers();
});

it("hides 3 s after the last input", () => {
  controls.show();
  vi.advanceTimersByTime(2000);
  controls.show();
  vi.advanceTimersByTime(2999);
  expect(visible()).toBe(true);
  vi.advanceTimersByTime(1);
  expect(visible()).toBe(false);
});

it("stays while any reason holds it, and counts from the last release", () => {
  controls.show();
  controls.hold("paused", true);
  controls.hold("scrubbing", true);
  vi.advanceTimersByTime(60_000);
  controls.hold("scrubbing", false);
  vi.advanceTimersByTime(60_000);
  expect(visible()).toBe(true);
  controls.hold("paused", false);
  vi.advanceTimersByTime(3000);
  expect(visible()).toBe(false);
});

it("toggles by hand even while held", () => {
  controls.hold("paused", true);
  controls.toggle();
  expect(visible()).toBe(true);
  controls.toggle();
  expect(visible()).toBe(false);
});
