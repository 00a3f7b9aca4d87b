import { expect, it, vi } from "vitest";
import { earlyLoader } from "./early-loader.ts";
import * as openings from "./openings.ts";

class NetworkLoader {
  context: unknown = null;
  stats = { loading: { start: 0, first: 0, end: 0 }, loaded: 0, total: 0 };
  load() {}
  abort() {}
  destroy() {}
}

const Loader = earlyLoader({ DefaultConfig: { loader: NetworkLoader } } as never);
const FILE = { data: "#EXTM3U", bytes: 100_000, firstMs: 300, wholeMs: 900 };

function load(url: string, file: openings.EarlyFile | undefined) {
  vi.spyOn(openings, "takeEarlyFile").mockReturnValue(file);
  const loader = new Loader({} as never);
  const onSuccess = vi.fn();
  loader.load({ url } as never, {} as never, { onSuccess } as never);
  return { loader, onSuccess };
}

it("answers with what has come early, with the times that the network needed", async () => {
  const { loader, onSuccess } = load("/a.m3u8", FILE);
  expect(onSuccess).not.toHaveBeenCalled();
  await Promise.resolve();
  expect(onSuccess.mock.calls[0]?.[0]).toMatchObject({ url: "/a.m3u8", data: "#EXTM3U" });
  const { loading, loaded } = loader.stats;
  expect(loading.end - loading.start).toBeCloseTo(900);
  expect(loading.first - loading.start).toBeCloseTo(300);
  expect(loaded).toBe(100_000);
});

it("says nothing once it is aborted", async () => {
  const { loader, onSuccess } = load("/a.m3u8", FILE);
  loader.abort();
  await Promise.resolve();
  expect(onSuccess).not.toHaveBeenCalled();
});

it("asks for the range that the library wants", () => {
  const taking = vi.spyOn(openings, "takeEarlyFile").mockReturnValue(undefined);
  const loader = new Loader({} as never);
  const context = { url: "/a.mp4", rangeStart: 800, rangeEnd: 900 };
  loader.load(context as never, {} as never, {} as never);
  expect(taking).toHaveBeenLastCalledWith({ url: "/a.mp4", start: 800, end: 900 });
});
