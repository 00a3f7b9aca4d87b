// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  beginSession,
  endSession,
  endSessionsInTime,
  openClientStore,
  useClientStore,
} from "./client-store.ts";

const GUEST = {
  isGuest: true,
  domain: "",
  userid: "",
  cid: "",
  wsUrl: "",
  promoUrl: "",
  ad: "",
  activity: "",
  loginVideoSwitch: false,
};

afterEach(() => void vi.useRealTimers());

beforeEach(() => {
  localStorage.clear();
  openClientStore(true);
});

it("holds the fields of the specification, as a guest", () => {
  expect(useClientStore.getState()).toEqual({
    tab: "home",
    isShowAd: true,
    xbbBonus: GUEST,
    token: "",
    appMoneyLink: "",
    resizeData: { clientWidth: 0 },
  });
  openClientStore(false);
  expect(useClientStore.getState().isShowAd).toBe(false);
});

it("keeps token and session in local storage, and becomes a guest again without them", () => {
  const session = { ...GUEST, isGuest: false, userid: "u1", promoUrl: "https://partner.example/" };
  beginSession("abc.def", session);
  expect(localStorage.getItem("token")).toBe("abc.def");
  expect(JSON.parse(localStorage.getItem("xbbBonus") ?? "")).toEqual(session);
  openClientStore(true);
  expect(useClientStore.getState()).toMatchObject({ token: "abc.def", xbbBonus: session });
  endSession();
  expect(useClientStore.getState()).toMatchObject({ token: "", xbbBonus: GUEST });
  expect(localStorage.getItem("token")).toBeNull();
  expect(localStorage.getItem("xbbBonus")).toBeNull();
});

it("ends a session after two hours, where the server is not asked", () => {
  vi.useFakeTimers();
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
  vi.useFakeTimers();
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
