import { afterEach, expect, it, vi } from "vitest";
import { get } from "./get.ts";
import { cacheInlined, takeInlined } from "./inlined.ts";

const ADDRESS = "/api/videosort/3?orderby=new&page=1";

afterEach(() => {
  vi.unstubAllGlobals();
  takeInlined(ADDRESS);
});

const ask = () =>
  get("/api/videosort/{category_id}", {
    path: { category_id: 3 },
    query: { orderby: "new", page: 1 },
  });

it("serves the first call for an answer that the document brought, and no later one", async () => {
  const fetch = vi.fn(async () =>
    Response.json({ code: 200, msg: "", rescont: { data: ["asked"] } }),
  );
  vi.stubGlobal("fetch", fetch);
  cacheInlined({ [ADDRESS]: { data: ["brought"] } });
  expect(await ask()).toEqual({ data: ["brought"] });
  expect(fetch).not.toHaveBeenCalled();
  expect(await ask()).toEqual({ data: ["asked"] });
});

it("does not use what a document brought that the browser has kept", () => {
  const entry = { type: "back_forward" } as PerformanceNavigationTiming;
  vi.spyOn(performance, "getEntriesByType").mockReturnValueOnce([entry]);
  cacheInlined({ [ADDRESS]: {} });
  expect(takeInlined(ADDRESS)).toBeUndefined();
});
