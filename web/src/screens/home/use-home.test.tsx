// @vitest-environment happy-dom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, expect, it, vi } from "vitest";
import * as calls from "@/shared/api/calls.ts";
import * as homeCalls from "@/shared/api/home-calls.ts";
import * as topicCalls from "@/shared/api/topic-calls.ts";
import { queryCache, SITE_FRESH_MS } from "@/shared/server-state/query-cache.ts";
import { queryKeys } from "@/shared/server-state/query-keys.ts";
import { renewOnReturn } from "@/shared/server-state/renewal.ts";
import { useHome } from "./use-home.ts";

vi.mock("@/shared/api/calls.ts");
vi.mock("@/shared/api/home-calls.ts");
vi.mock("@/shared/api/topic-calls.ts");

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function Blocks() {
  const { data } = useHome();
  return [...(data?.blocks ?? []), ...(data?.categories ?? [])].map(({ name }) => name).join();
}

it("is renewed for a visitor who comes back after a while, and keeps a part that does not come", async () => {
  vi.useFakeTimers();
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const warned = vi.mocked(console.warn).mockImplementation(() => {});
  vi.mocked(homeCalls.listHomeBlocks).mockResolvedValue([{ name: "new" }] as never);
  vi.mocked(homeCalls.listCategories).mockRejectedValue(new Error("no network"));
  vi.mocked(homeCalls.listBannerTags).mockResolvedValue([]);
  vi.mocked(calls.listBanners).mockResolvedValue([]);
  vi.mocked(topicCalls.listTopics).mockResolvedValue([]);
  queryCache.set(queryKeys.home, { blocks: [{ name: "old" }], categories: [{ name: "kept" }] });
  const root = createRoot(document.body);
  await act(async () => root.render(<Blocks />));
  expect(document.body.textContent).toBe("old,kept");
  renewOnReturn();
  vi.advanceTimersByTime(SITE_FRESH_MS);
  document.dispatchEvent(new Event("visibilitychange"));
  await act(() => vi.dynamicImportSettled());
  expect(document.body.textContent).toBe("new,kept");
  expect(warned).toHaveBeenCalledOnce();
  warned.mockClear();
  act(() => root.unmount());
});
