// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { importBackup } from "./backup.ts";
import { formatBackup } from "./backup-file.ts";

const IDS = [5, 4, 3, 2, 1];
const FILE = new Blob([formatBackup({ favourites: IDS, history: [] }, new Date(0))]);

/** A server that takes `most` favourites, and more only after `free` milliseconds. */
function serve(most: number, free = Number.POSITIVE_INFINITY) {
  const taken: number[] = [];
  const start = Date.now();
  vi.spyOn(globalThis, "fetch").mockImplementation(async (address, options) => {
    const { id } = JSON.parse(String(options?.body)) as { id: number };
    const isQuestion = String(address).endsWith("/ids");
    const isRefused = !isQuestion && taken.length >= most && Date.now() - start < free;
    if (!isQuestion && !isRefused) taken.push(id);
    const code = isRefused ? 429 : 200;
    const rescont = isQuestion ? { ids: taken } : null;
    return Response.json({ code, msg: "", rescont }, { status: code });
  });
  return taken;
}

async function bring(onWait = vi.fn()) {
  const bringing = importBackup(FILE, vi.fn(), onWait);
  await vi.runAllTimersAsync();
  return await bringing;
}

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
  vi.spyOn(console, "info").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it("waits where the server takes no more for now, and loses nothing and no order", async () => {
  const taken = serve(2, 30_000);
  const onWait = vi.fn();
  expect(await bring(onWait)).toMatchObject({
    favourites: 5,
    refused: 0,
    left: 0,
    isBusy: false,
    isBroken: false,
  });
  expect(onWait).toHaveBeenCalledTimes(6);
  expect(taken).toEqual([1, 2, 3, 4, 5]);
});

it("says how many it left where the server never takes more, and goes on there the next time", async () => {
  const taken = serve(2, 600_000);
  expect(await bring()).toMatchObject({ favourites: 2, left: 3, isBusy: true, isBroken: false });
  vi.advanceTimersByTime(600_000);
  expect(await bring()).toMatchObject({ favourites: 3, left: 0, isBusy: false });
  expect(taken).toEqual([1, 2, 3, 4, 5]);
});

it("says that the network failed, not that the server is busy", async () => {
  vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("offline"));
  expect(await bring()).toMatchObject({ favourites: 0, left: 5, isBusy: false, isBroken: true });
});
