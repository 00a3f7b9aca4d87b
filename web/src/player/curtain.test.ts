// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";
import { navigate, onNavigation } from "@/shared/navigation/history.ts";
import { lowerCurtain, raiseCurtains } from "./curtain.ts";
import type { PlayOrder } from "./playback-state.ts";
import { prepareSession, takeSession } from "./session-slot.ts";

const order = (id: number): PlayOrder => ({
  id,
  sources: [],
  startAt: 0,
  duration: 60,
  rate: 1,
  quality: "auto",
  audio: "",
});
const curtains = () => document.querySelectorAll(".player-curtain > .player video").length;

let isOpen: boolean;
const drawn = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(HTMLMediaElement.prototype, "pause").mockImplementation(() => {});
  vi.spyOn(console, "info").mockImplementation(() => {});
  window.history.replaceState(null, "", "/home");
  window.innerWidth = 390;
  isOpen = true;
  drawn.mockClear();
  raiseCurtains(() => isOpen);
  const stop = onNavigation(drawn);
  return () => {
    stop();
    lowerCurtain();
    takeSession(order(0)).dispose();
    vi.useRealTimers();
  };
});

it("shows the tapped video before its page is drawn, until the page takes it", () => {
  prepareSession(order(7));
  navigate("/playVideo?id=7");
  expect(curtains()).toBe(1);
  expect(drawn).not.toHaveBeenCalled();
  vi.advanceTimersByTime(150);
  expect(drawn).toHaveBeenCalledOnce();
  lowerCurtain();
  expect(document.querySelector(".player-curtain")).toBeNull();
});

it("goes by itself where the page does not come, and with the session", () => {
  prepareSession(order(7));
  navigate("/playVideo?id=7");
  vi.advanceTimersByTime(3000);
  expect(curtains()).toBe(0);
  navigate("/home");
  navigate("/playVideo?id=7");
  expect(curtains()).toBe(1);
  takeSession(order(8));
  expect(document.querySelector(".player-curtain")).toBeNull();
});

it("stays down where something stands before the video, elsewhere, and on a computer", () => {
  prepareSession(order(7));
  for (const address of ["/playVideo?id=8", "/playVideo?id=7&ad_show=no", "/list?typeId=0"]) {
    navigate(address);
    expect(curtains()).toBe(0);
  }
  isOpen = false;
  navigate("/playVideo?id=7");
  expect(curtains()).toBe(0);
  isOpen = true;
  window.innerWidth = 1440;
  navigate("/playVideo?id=7");
  expect(curtains()).toBe(0);
  expect(drawn).toHaveBeenCalledTimes(5);
});
