// @vitest-environment happy-dom
import { act, useEffect, useState } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Location } from "@/shared/navigation/history.ts";
import { useLocation } from "@/shared/navigation/navigation.tsx";
import { ViewCache } from "./view-cache.tsx";

let root: Root;
let top = 0;
const log: string[] = [];

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  document.body.innerHTML = "<div></div>";
  root = createRoot(document.body.firstElementChild as HTMLElement);
  log.length = 0;
  top = 0;
  vi.spyOn(window, "scrollY", "get").mockImplementation(() => top);
  vi.spyOn(window, "scrollTo").mockImplementation((options) => {
    top = (options as unknown as ScrollToOptions).top ?? 0;
  });
});

afterEach(() => act(() => root.unmount()));

function View({ name }: { readonly name: string }) {
  const { search } = useLocation();
  const [count, setCount] = useState(0);
  useEffect(() => {
    log.push(`${name} shown`);
    return () => void log.push(`${name} hidden`);
  }, [name]);
  return (
    <button type="button" id={name} onClick={() => setCount(count + 1)}>
      {count} {search}
    </button>
  );
}

const locations = new Map<string, Location>();

function show(name: string, { search = "", isCached = true, limit = 3 } = {}): void {
  const key = name + search;
  const location = locations.get(key) ?? { pathname: `/${name}`, search };
  locations.set(key, location);
  act(() =>
    root.render(
      <ViewCache
        activeKey={name}
        location={location}
        element={<View name={name} />}
        isCached={isCached}
        limit={limit}
        topic={search}
      />,
    ),
  );
}

const text = (name: string) => document.getElementById(name)?.textContent;
const press = (name: string) => act(() => document.getElementById(name)?.click());

it("keeps a view's state and scroll position, and cleans its effects up while it is hidden", () => {
  show("home");
  press("home");
  top = 1234;
  show("list");
  expect(top).toBe(0);
  top = 77;
  show("home");
  expect(top).toBe(1234);
  expect(text("home")).toBe("1 ");
  show("list");
  expect(top).toBe(77);
  expect(log).toEqual([
    "home shown",
    "home hidden",
    "list shown",
    "list hidden",
    "home shown",
    "home hidden",
    "list shown",
  ]);
});

it("leaves a hidden view its own address", () => {
  show("list", { search: "?typeId=1" });
  show("home");
  expect(text("list")).toBe("0 ?typeId=1");
});

it("begins at the top when the topic changes under the same key, and again after a detour", () => {
  show("list", { search: "?typeId=1" });
  top = 500;
  show("list", { search: "?typeId=2" });
  expect(top).toBe(0);
  top = 300;
  show("home");
  show("list", { search: "?typeId=1" });
  expect(top).toBe(0);
});

it("drops what may not be kept, and the least recently used beyond the limit", () => {
  show("play", { isCached: false });
  show("home");
  expect(text("play")).toBeUndefined();
  for (const name of ["a", "b", "c"]) show(name);
  expect(text("home")).toBeUndefined();
  expect(text("a")).toBe("0 ");
});
