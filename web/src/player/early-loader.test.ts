import { beforeEach, expect, it, type MockInstance, vi } from "vitest";
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

let network: MockInstance;
const POLICY = { loadPolicy: { maxLoadTimeMs: 20_000 } };

beforeEach(() => {
  vi.useFakeTimers();
  network = vi.spyOn(NetworkLoader.prototype, "load");
  return () => vi.useRealTimers();
});

function load(url: string, file: ReturnType<typeof openings.takeEarlyFile>) {
  vi.spyOn(openings, "takeEarlyFile").mockReturnValue(file);
  const loader = new Loader({} as never);
  const onSuccess = vi.fn();
  loader.load({ url } as never, POLICY as never, { onSuccess } as never);
  return { loader, onSuccess };
}

it("answers with what has come early, with the times that the network needed", async () => {
  const { loader, onSuccess } = load("/a.m3u8", Promise.resolve(FILE));
  expect(onSuccess).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(0);
  expect(onSuccess.mock.calls[0]?.[0]).toMatchObject({ url: "/a.m3u8", data: "#EXTM3U" });
  const { loading, loaded } = loader.stats;
  expect(loading.end - loading.start).toBeCloseTo(900);
  expect(loading.first - loading.start).toBeCloseTo(300);
  expect(loaded).toBe(100_000);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(network).not.toHaveBeenCalled();
});

it("waits for what is under way instead of asking again", async () => {
  let come: (file: typeof FILE) => void = () => {};
  const { onSuccess } = load("/a.m3u8", new Promise((resolve) => (come = resolve)));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(network).not.toHaveBeenCalled();
  come(FILE);
  await vi.advanceTimersByTimeAsync(0);
  expect(onSuccess).toHaveBeenCalledOnce();
});

it("asks the network where what was under way does not come", async () => {
  const { onSuccess } = load("/a.m3u8", Promise.resolve(undefined));
  await vi.advanceTimersByTimeAsync(0);
  expect(network).toHaveBeenCalledOnce();
  load("/b.m3u8", new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(19_999);
  expect(network).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(1);
  expect(network).toHaveBeenCalledTimes(2);
  expect(onSuccess).not.toHaveBeenCalled();
});

it("says nothing once it is aborted", async () => {
  const { loader, onSuccess } = load("/a.m3u8", Promise.resolve(FILE));
  loader.abort();
  const { loader: other } = load("/b.m3u8", Promise.resolve(undefined));
  other.destroy();
  await vi.advanceTimersByTimeAsync(0);
  expect(onSuccess).not.toHaveBeenCalled();
  expect(network).not.toHaveBeenCalled();
});

it("asks for the range that the library wants", () => {
  const taking = vi.spyOn(openings, "takeEarlyFile").mockReturnValue(undefined);
  const loader = new Loader({} as never);
  const context = { url: "/a.mp4", rangeStart: 800, rangeEnd: 900 };
  loader.load(context as never, POLICY as never, {} as never);
  expect(taking).toHaveBeenLastCalledWith({ url: "/a.mp4", start: 800, end: 900 });
});

function loadRange(come: number) {
  vi.spyOn(openings, "takeEarlyFile").mockReturnValue(undefined);
  network.mockImplementation((context, _config, { onSuccess }) =>
    onSuccess({ url: context.url, data: new ArrayBuffer(come), code: 206 }, {}, context, null),
  );
  const loader = new Loader({} as never);
  const [onSuccess, onError, onTimeout] = [vi.fn(), vi.fn(), vi.fn()];
  const context = { url: "/a.mp4", rangeStart: 800, rangeEnd: 900 };
  loader.load(context as never, POLICY as never, { onSuccess, onError, onTimeout } as never);
  const given = () => onSuccess.mock.calls.map(([{ data }]) => data.byteLength);
  const failed = () => onError.mock.calls.map(([{ code }]) => code);
  return { loader, given, failed, onTimeout };
}

it("asks past the browser's cache for a range of which it gave the beginning alone", async () => {
  const asking = vi
    .spyOn(openings, "fetchFile")
    .mockResolvedValue({ ...FILE, data: new ArrayBuffer(100) });
  const { loader, given } = loadRange(28);
  await vi.advanceTimersByTimeAsync(0);
  expect(given()).toEqual([100]);
  const [part, options] = asking.mock.lastCall ?? [];
  expect(part).toEqual({ url: "/a.mp4", start: 800, end: 900 });
  expect(options).toMatchObject({ cache: "no-store" });
  // The rate of the line is that of what came in the end.
  expect(loader.stats.loaded).toBe(100_000);
  expect(loadRange(100).given()).toEqual([100]);
  expect(asking).toHaveBeenCalledOnce();
});

it("gives what there is where a range is cut short every time", async () => {
  vi.spyOn(openings, "fetchFile").mockRejectedValue(new openings.AnswerError(206, "28 of 100"));
  const { given, failed } = loadRange(28);
  await vi.advanceTimersByTimeAsync(0);
  expect([given(), failed()]).toEqual([[28], []]);
});

it.each([
  [new openings.AnswerError(403, "403 /a.mp4"), 403],
  [new TypeError("no network"), 0],
])("fails as its own request would: %s", async (error, code) => {
  vi.spyOn(openings, "fetchFile").mockRejectedValue(error);
  const { given, failed } = loadRange(28);
  await vi.advanceTimersByTimeAsync(0);
  expect([given(), failed()]).toEqual([[], [code]]);
});

it("does not wait for ever for the rest of a range", async () => {
  vi.spyOn(openings, "fetchFile").mockReturnValue(new Promise(() => {}));
  const { given, onTimeout } = loadRange(28);
  await vi.advanceTimersByTimeAsync(19_999);
  expect(onTimeout).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(onTimeout).toHaveBeenCalledOnce();
  expect(given()).toEqual([]);
});

it("asks for nothing more once it is aborted", async () => {
  const asking = vi.spyOn(openings, "fetchFile").mockRejectedValue(new TypeError("aborted"));
  const { loader, given, failed } = loadRange(28);
  loader.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(asking.mock.lastCall?.[1].signal?.aborted).toBe(true);
  expect([given(), failed()]).toEqual([[], []]);
});
