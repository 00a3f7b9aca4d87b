// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openClientStore, PARTNER, useClientStore } from "@/shared/store/client-store.ts";
import { beginSession, endSessionsInTime } from "./session.ts";

const GUEST = PARTNER.initial;

beforeEach(() => {
  localStorage.clear();
  openClientStore(true);
  vi.useFakeTimers();
});

afterEach(() => void vi.useRealTimers());

it("ends a session after two hours, where the server is not asked", () => {
  endSessionsInTime();
  beginSession("abc.def", { ...GUEST, isGuest: false });
  vi.advanceTimersByTime(7_199_000);
  expect(useClientStore.getState()).toMatchObject({
    token: "abc.def",
    xbbBonus: { isGuest: false },
  });
  vi.advanceTimersByTime(1000);
  expect(useClientStore.getState()).toMatchObject({ token: "", xbbBonus: GUEST });
});

it("finds a session over at the next visit, and gives one of an earlier version two hours", () => {
  beginSession("abc.def", { ...GUEST, isGuest: false });
  vi.setSystemTime(Date.now() + 3 * 3_600_000);
  openClientStore(true);
  expect(useClientStore.getState().token).toBe("abc.def");
  endSessionsInTime();
  expect(useClientStore.getState()).toMatchObject({ token: "", xbbBonus: GUEST });

  localStorage.setItem("token", "old");
  endSessionsInTime();
  vi.advanceTimersByTime(7_199_000);
  expect(localStorage.getItem("token")).toBe("old");
  vi.advanceTimersByTime(1000);
  expect(localStorage.getItem("token")).toBeNull();
});
