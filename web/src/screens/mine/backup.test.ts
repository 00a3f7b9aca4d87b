// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { exportBackup, importBackup, textOf } from "./backup.ts";
import { BACKUP_BYTES, formatBackup, parseBackup } from "./backup-file.ts";

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

async function bring(onWait = vi.fn(), file = FILE) {
  const bringing = importBackup(file, vi.fn(), onWait);
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
  const result = await bring();
  // Which of them are there already could not be asked.
  expect(result).toMatchObject({ favourites: 0, left: null, isBusy: false, isBroken: true });
  expect(textOf(result)).toBe(
    "已导入 0 个收藏、0 条历史；网络异常，收藏没有全部导入，请稍后再导入同一个文件，会接着导入",
  );
});

/** As many favourites as a visitor may have, the newest first. */
const MANY = Array.from({ length: 10_000 }, (_, index) => 10_000 - index);
/** A page of the server's favourites. */
const PER_PAGE = 100;

it("exports every favourite, to a file that it reads", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (address) => {
    const page = Number(new URL(String(address), "http://site").searchParams.get("page"));
    const ids = MANY.slice((page - 1) * PER_PAGE, page * PER_PAGE);
    const data = ids.map((id) => ({
      id,
      created_at: "2026-01-02T03:04:05Z",
      video: { id, title: `视频 ${id}`, coverbase64: { url: "/enc/0.bin" } },
    }));
    const next = page * PER_PAGE < MANY.length ? "/next" : null;
    const rescont = { data, total: MANY.length, per_page: PER_PAGE, next_page_url: next };
    return Response.json({ code: 200, msg: "", rescont });
  });
  const text = await exportBackup(vi.fn(), new Date(0));
  expect(text.length).toBeLessThan(BACKUP_BYTES / 4);
  expect(parseBackup(text)?.favourites).toEqual(MANY);
});

it("imports as many in several goes, and says truthfully how many are left", async () => {
  const file = new Blob([formatBackup({ favourites: MANY, history: [] }, new Date(0))]);
  const taken: number[] = [];
  let room = 0;
  const tried = vi.fn();
  vi.spyOn(globalThis, "fetch").mockImplementation(async (address, options) => {
    const { id } = JSON.parse(String(options?.body)) as { id: number | number[] };
    if (Array.isArray(id)) {
      const asked = new Set(id);
      const ids = taken.filter((one) => asked.has(one));
      return Response.json({ code: 200, msg: "", rescont: { ids } });
    }
    expect(String(address)).toMatch(/favorites$/);
    tried(id);
    if (room === 0) return Response.json({ code: 429, msg: "", rescont: null }, { status: 429 });
    room -= 1;
    taken.push(id);
    return Response.json({ code: 200, msg: "", rescont: null });
  });
  const again = "请一小时后再导入同一个文件，会接着导入";
  for (const { added, left, rest } of [
    { added: 4000, left: 6000, rest: `；还有 6000 个收藏未导入，${again}` },
    { added: 4000, left: 2000, rest: `；还有 2000 个收藏未导入，${again}` },
    { added: 2000, left: 0, rest: "" },
  ]) {
    room = 4000;
    const already = new Set(taken);
    tried.mockClear();
    const result = await bring(vi.fn(), file);
    expect(result).toMatchObject({ left, isBusy: left > 0, isBroken: false });
    expect(textOf(result)).toBe(`已导入 ${added} 个收藏、0 条历史${rest}`);
    // What is there uses up nothing of what the server takes in an hour.
    expect(tried.mock.calls.some(([id]) => already.has(id))).toBe(false);
  }
  expect(taken).toEqual(MANY.toReversed());
  // Twelve thousand calls, on a slow machine.
}, 30_000);

it("tells what cannot be favourites any more beside what is left", () => {
  const result = { kind: "merged", favourites: 3, history: 1, refused: 2 } as const;
  expect(textOf({ ...result, left: 0, isBusy: false, isBroken: false })).toBe(
    "已导入 3 个收藏、1 条历史，2 个视频已无法收藏",
  );
  expect(textOf({ ...result, left: 4, isBusy: false, isBroken: true })).toBe(
    "已导入 3 个收藏、1 条历史，2 个视频已无法收藏；" +
      "网络异常，还有 4 个收藏未导入，请稍后再导入同一个文件，会接着导入",
  );
  expect(textOf({ kind: "foreign" })).toBe("这不是本站导出的文件");
});
