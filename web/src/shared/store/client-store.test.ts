// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { beginSession, endSession } from "@/shared/partner/session.ts";
import { openClientStore, useClientStore } from "./client-store.ts";

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
