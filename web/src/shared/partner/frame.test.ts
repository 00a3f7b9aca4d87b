// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";
import { hostMessage, onHostMessage } from "./frame.ts";

afterEach(() => vi.restoreAllMocks());

it.each([
  [
    { liuying: 1, type: "open", path: "/playVideo?id=1" },
    { type: "open", path: "/playVideo?id=1" },
  ],
  [
    { liuying: 1, type: "session", code: "a.b-c.d_e", path: "/x" },
    { type: "session", code: "a.b-c.d_e" },
  ],
  [
    { liuying: 1, type: "theme", theme: "dark" },
    { type: "theme", theme: "dark" },
  ],
  [{ liuying: 2, type: "theme", theme: "dark" }, null],
  [{ type: "theme", theme: "dark" }, null],
  [{ liuying: 1, type: "theme", theme: "red" }, null],
  [{ liuying: 1, type: "open", path: "//evil.example" }, null],
  [{ liuying: 1, type: "open", path: "/\\evil.example" }, null],
  [{ liuying: 1, type: "open", path: "https://evil.example/" }, null],
  [{ liuying: 1, type: "open", path: "javascript:alert(1)" }, null],
  [{ liuying: 1, type: "open", path: "/vendor?logout=logout" }, null],
  [{ liuying: 1, type: "open", path: 7 }, null],
  [{ liuying: 1, type: "session", code: "<b>" }, null],
  [{ liuying: 1, type: "session", code: "" }, null],
  [null, null],
  ["open", null],
  [[1], null],
])("reads %j as %j", (data, message) => {
  expect(hostMessage(data)).toEqual(message);
});

it("hears the parent window of a listed origin only", () => {
  const parent = { postMessage: vi.fn() } as unknown as Window;
  vi.spyOn(window, "top", "get").mockReturnValue(parent as Window & typeof globalThis);
  vi.spyOn(window, "parent", "get").mockReturnValue(parent);
  const heard = vi.fn();
  const end = onHostMessage(["https://acme.example"], heard);
  const data = { liuying: 1, type: "theme", theme: "dark" };
  const say = (init: MessageEventInit) =>
    window.dispatchEvent(new MessageEvent("message", { data, ...init }));
  say({ origin: "https://evil.example", source: parent });
  say({ origin: "https://acme.example.evil.example", source: parent });
  say({ origin: "null", source: parent });
  say({ origin: "https://acme.example", source: window });
  say({ origin: "https://acme.example" });
  expect(heard).not.toHaveBeenCalled();
  say({ origin: "https://acme.example", source: parent });
  expect(heard).toHaveBeenCalledExactlyOnceWith({ type: "theme", theme: "dark" });
  end();
  say({ origin: "https://acme.example", source: parent });
  expect(heard).toHaveBeenCalledOnce();
});
