// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { currentLocation, historyDepth, navigate, onNavigation } from "./history.ts";

beforeEach(() => window.history.replaceState(null, "", "/home"));

describe("navigate", () => {
  it("writes an entry and tells of it", () => {
    const heard = vi.fn();
    const stop = onNavigation(heard);
    navigate("/list?typeId=1");
    stop();
    expect(currentLocation()).toEqual({ pathname: "/list", search: "?typeId=1" });
    expect(heard).toHaveBeenCalledOnce();
  });

  it("counts the entries before the present one", () => {
    expect(historyDepth()).toBe(0);
    navigate("/list");
    navigate("/search");
    expect(historyDepth()).toBe(2);
    navigate("/searchList", { replace: true });
    expect(historyDepth()).toBe(2);
  });

  it("adds no entry for the address where the visitor is", () => {
    const before = window.history.length;
    navigate("/home");
    expect(window.history.length).toBe(before);
  });

  it("never leaves the site", () => {
    expect(() => navigate("https://evil.example/")).toThrow();
    expect(() => navigate("//evil.example/")).toThrow();
    expect(() => navigate("javascript:alert(1)")).toThrow();
    expect(currentLocation().pathname).toBe("/home");
  });

  it("keeps the same location object where nothing changed", () => {
    expect(currentLocation()).toBe(currentLocation());
  });
});
