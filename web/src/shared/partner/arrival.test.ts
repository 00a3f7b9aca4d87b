// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { takeCode, takeReturnPath } from "./arrival.ts";
import { holdCode, keepReturnPath } from "./departure.ts";

const at = (address: string) => window.history.replaceState({ idx: 3 }, "", address);

beforeEach(() => {
  sessionStorage.clear();
  at("/home");
});

it("takes the code out of the address bar and gives it once", () => {
  at("/vendor?code=a.b.c&msg=x");
  holdCode();
  expect(window.location.search).toBe("?msg=x");
  expect(window.history.state).toEqual({ idx: 3 });
  expect(takeCode()).toBe("a.b.c");
  expect(takeCode()).toBeNull();
});

it("leaves other pages' addresses alone", () => {
  at("/home?code=a.b.c");
  holdCode();
  expect(window.location.search).toBe("?code=a.b.c");
  expect(takeCode()).toBeNull();
});

it("returns to where the visitor was, once", () => {
  at("/list?typeId=1&orderby=new");
  keepReturnPath();
  at("/vendor");
  keepReturnPath();
  expect(takeReturnPath()).toBe("/list?typeId=1&orderby=new");
  expect(takeReturnPath()).toBe("/home");
});

it.each([
  "//evil.example/x",
  "https://evil.example/",
  "/\\evil.example",
  "javascript:alert(1)",
  "/vendor?logout=logout",
])("does not return to %s", (address) => {
  sessionStorage.setItem("returnPath", address);
  expect(takeReturnPath()).toBe("/home");
});
