import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { hideMessage, MESSAGE_MS, showMessage, useMessageStore } from "./message-store.ts";

const shown = () => useMessageStore.getState().current?.text;

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  hideMessage();
  vi.useRealTimers();
});

it("shows a message for 3000 ms", () => {
  showMessage("收藏成功!");
  vi.advanceTimersByTime(MESSAGE_MS - 1);
  expect(shown()).toBe("收藏成功!");
  vi.advanceTimersByTime(1);
  expect(shown()).toBeUndefined();
});

it("replaces an earlier one, whose time then ends nothing", () => {
  showMessage("一");
  vi.advanceTimersByTime(2000);
  showMessage("二");
  vi.advanceTimersByTime(2000);
  expect(shown()).toBe("二");
  hideMessage();
  expect(shown()).toBeUndefined();
});
