import { describe, expect, it } from "vitest";
import { isGuarded, redirectOf, routeOf } from "./route-table.ts";

describe("routeOf", () => {
  it.each([
    ["/home", "home"],
    ["/rank", "rank-page-view"],
    ["/find/rank", "rank"],
    ["/find/", "find"],
    ["/", "not-found"],
    ["/HOME", "not-found"],
    ["/find/rank/x", "not-found"],
  ])("%s is %s", (path, name) => {
    expect(routeOf(path).name).toBe(name);
  });

  it("keeps exactly the screens of the specification, and the full rank page", () => {
    const kept = ["/home", "/find", "/rank", "/searchList", "/list", "/favorites"];
    const others = ["/miin", "/mine", "/search", "/playVideo", "/vendor", "/collectVideo"];
    expect(kept.every((path) => routeOf(path).isCached)).toBe(true);
    expect(others.some((path) => routeOf(path).isCached)).toBe(false);
  });
});

describe("redirectOf", () => {
  it("leads from / to home", () => {
    expect(redirectOf({ pathname: "/", search: "" }, true, "")).toBe("/home");
  });

  it("leads from /playLink to the player, without ads where they are off", () => {
    expect(redirectOf({ pathname: "/playLink", search: "?id=7" }, true, "")).toBe(
      "/playVideo?id=7",
    );
    expect(redirectOf({ pathname: "/playLink", search: "?id=7" }, false, "")).toBe(
      "/playVideo?id=7&ad_show=no",
    );
  });

  it("leads from /find to the tab of the last visit, first to the rank", () => {
    expect(redirectOf({ pathname: "/find", search: "" }, true, "")).toBe("/find/rank");
    expect(redirectOf({ pathname: "/find/", search: "" }, true, "tags")).toBe("/find/tags");
    expect(redirectOf({ pathname: "/find/tags", search: "" }, true, "rank")).toBeNull();
  });

  it("never leaves the site", () => {
    expect(
      redirectOf(
        { pathname: "/playLink", search: "?id=//evil.example&url=https://evil.example" },
        true,
        "",
      ),
    ).toBe("/playVideo?id=%2F%2Fevil.example");
  });
});

describe("isGuarded", () => {
  it("leads to the vendor page only without a token and with the setting on", () => {
    expect(isGuarded("/home", "", true)).toBe(true);
    expect(isGuarded("/home", "t", true)).toBe(false);
    expect(isGuarded("/home", "", false)).toBe(false);
    expect(isGuarded("/vendor", "", true)).toBe(false);
  });
});
