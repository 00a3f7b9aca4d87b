// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { whenStill } from "./when-still.ts";

const task = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  task.mockClear();
  whenStill(task, 2500);
});

afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

it("waits on a page that nobody touches", () => {
  vi.advanceTimersByTime(2499);
  expect(task).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(task).toHaveBeenCalledOnce();
});

it.each(["pointerdown", "keydown", "scroll"])("follows a first %s soon", (name) => {
  window.dispatchEvent(new Event(name));
  vi.advanceTimersByTime(300);
  expect(task).toHaveBeenCalledOnce();
});

it("does not fall into a scroll, however long", () => {
  for (let frame = 0; frame < 300; frame += 1) {
    window.dispatchEvent(new Event("scroll"));
    vi.advanceTimersByTime(16);
  }
  expect(task).not.toHaveBeenCalled();
  vi.advanceTimersByTime(300);
  expect(task).toHaveBeenCalledOnce();
});

it("does not fall into a scroll of a part of the page", () => {
  const strip = document.body.appendChild(document.createElement("div"));
  vi.advanceTimersByTime(2400);
  strip.dispatchEvent(new Event("scroll"));
  vi.advanceTimersByTime(200);
  expect(task).not.toHaveBeenCalled();
});

it("waits no longer than 30 s", () => {
  for (let moment = 0; moment < 30_000; moment += 100) {
    expect(task).not.toHaveBeenCalled();
    window.dispatchEvent(new Event("scroll"));
    vi.advanceTimersByTime(100);
  }
  expect(task).toHaveBeenCalledOnce();
});

it("runs once", () => {
  vi.advanceTimersByTime(2500);
  window.dispatchEvent(new Event("scroll"));
  vi.runAllTimers();
  expect(task).toHaveBeenCalledOnce();
});
