import type { Upload as Sending } from "tus-js-client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SendingError, type SendingOptions } from "@/features/uploads/sending.ts";
import { Uploader } from "@/features/uploads/uploader.ts";

const { started } = vi.hoisted(() => ({ started: [] as SendingOptions[] }));

vi.mock("@/features/uploads/sending.ts", async (original) => ({
  ...(await original<object>()),
  sending: (options: SendingOptions) =>
    ({
      start: () => {
        started.push(options);
      },
      abort: async () => undefined,
    }) as Partial<Sending>,
}));

/** What the server answers by method, the last one again and again. */
let answers: Record<string, [status: number, msg: string][]>;
let asked: { method: string; path: string; body: unknown }[];

beforeEach(() => {
  vi.useFakeTimers();
  started.length = 0;
  asked = [];
  answers = { GET: [[200, ""]], PUT: [[200, ""]] };
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit) => {
    asked.push({ method, path, body: body ? JSON.parse(String(body)) : null });
    const left = answers[method] ?? [];
    const [status, msg] = (left.length > 1 ? left.shift() : left[0]) ?? [500, ""];
    if (status === 0) throw new TypeError("Failed to fetch");
    return new Response(JSON.stringify({ code: status, msg, rescont: [] }), { status });
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** An uploader with films `a.mp4`, `b.mp4`… */
function chosen(count: number): Uploader {
  const uploader = new Uploader();
  const names = ["a", "b", "c", "d"].slice(0, count);
  uploader.add(
    names.map((name) => new File(["x"], `${name}.mp4`)),
    [],
  );
  return uploader;
}

function last(name: string): SendingOptions {
  const found = started.findLast(({ file }) => file.name === `${name}.mp4`);
  if (!found) throw new Error(`${name} was not started`);
  return found;
}

/** The films' states, in order. */
function states(uploader: Uploader): string {
  return uploader
    .snapshot()
    .map(({ state }) => state)
    .join(" ");
}

async function settle(ms = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

function told(): unknown[] {
  return asked.filter(({ method }) => method === "PUT").map(({ body }) => body);
}

const TYPED = { title: "海边", is_hidden: true };

test("a queued film that is to stay hidden begins hidden, and is told the rest", async () => {
  const uploader = chosen(3);
  await uploader.describe(3, TYPED);
  expect(asked).toEqual([]);
  last("a").onDone();
  await settle();
  expect([last("b").isHidden(), last("c").isHidden()]).toEqual([false, true]);
  last("c").onId("f00d");
  await settle();
  expect(asked).toEqual([{ method: "PUT", path: "/api/uploads/f00d/details", body: TYPED }]);
  // The id is named again with each new attempt; what the server has is not said again.
  last("c").onId("f00d");
  await settle();
  expect(told()).toEqual([TYPED]);
});

test("what is refused once the server knows the film, its row says until it is typed again", async () => {
  const uploader = chosen(1);
  await uploader.describe(1, TYPED);
  answers.PUT = [
    [422, "没有这个分类"],
    [200, ""],
  ];
  last("a").onId("f00d");
  await settle();
  const [film] = uploader.snapshot();
  expect(film?.detailsFault).toContain("没有这个分类");
  expect(film?.state).toBe("sending");
  await settle(60_000);
  expect(told()).toEqual([TYPED]);
  await uploader.describe(1, { title: "浪" });
  expect(uploader.snapshot()[0]?.detailsFault).toBe("");
});

test("a busy server is told a little later", async () => {
  const uploader = chosen(1);
  await uploader.describe(1, TYPED);
  answers.PUT = [
    [503, "忙"],
    [0, ""],
    [200, ""],
  ];
  last("a").onId("f00d");
  await settle(2500);
  expect(told()).toEqual([TYPED, TYPED, TYPED]);
  expect(uploader.snapshot()[0]?.detailsFault).toBe("");
});

test("what a server that stays away was not told, it is told when it is back", async () => {
  const uploader = chosen(1);
  await uploader.describe(1, TYPED);
  answers = { GET: [[0, ""]], PUT: [[0, ""]] };
  last("a").onId("f00d");
  last("a").onDone();
  await settle(20_000);
  expect(uploader.snapshot()[0]?.detailsFault).toContain("自动再存");
  answers = { GET: [[200, ""]], PUT: [[200, ""]] };
  await settle(3000);
  expect(told().at(-1)).toEqual(TYPED);
  expect(uploader.snapshot()[0]?.detailsFault).toBe("");
});

test("of what is typed twice the last counts, however late the first is answered", async () => {
  const uploader = chosen(1);
  await uploader.describe(1, TYPED);
  answers.PUT = [
    [503, "忙"],
    [200, ""],
  ];
  last("a").onId("f00d");
  await settle();
  const saved = uploader.describe(1, { title: "浪" });
  await settle(10_000);
  await saved;
  expect(told()).toEqual([TYPED, { title: "浪" }]);
});

test("while nobody is logged in nothing begins, and after the login all goes on", async () => {
  const uploader = chosen(4);
  answers.GET = [[401, ""]];
  last("a").onFault(new SendingError("请登录", "login"));
  await settle(30_000);
  expect(states(uploader)).toBe("held sending waiting waiting");
  last("b").onFault(new SendingError("请登录", "login"));
  await settle(30_000);
  expect(states(uploader)).toBe("held held waiting waiting");
  expect(started).toHaveLength(2);
  answers.GET = [[200, ""]];
  await settle(3000);
  expect(states(uploader)).toBe("sending sending waiting waiting");
  expect(uploader.snapshot()[0]?.fault).toBe("");
  expect(started).toHaveLength(4);
  // Once it goes on, nobody asks any more.
  const count = asked.length;
  await settle(30_000);
  expect(asked).toHaveLength(count);
});

test("a server that is away stops the queue, and a film goes on where it was", async () => {
  const uploader = chosen(3);
  answers.GET = [[0, ""]];
  last("a").onId("f00d");
  last("a").onFault(new SendingError("连不上", "away"));
  last("b").onDone();
  await settle(300_000);
  expect(states(uploader)).toBe("held done waiting");
  uploader.reconnect();
  expect(states(uploader)).toBe("sending done sending");
  await settle();
  expect(last("a").id).toBe("f00d");
});

test("an outage between two side-cars holds their film, too", async () => {
  const uploader = new Uploader();
  uploader.add([new File(["x"], "a.mp4"), new File(["x"], "a.srt")], []);
  started[0]?.onFault(new SendingError("连不上", "away"));
  await settle();
  expect(states(uploader)).toBe("held");
});

test("a film's own fault stops that film alone, and nothing repeats it", async () => {
  const uploader = chosen(3);
  last("a").onFault(new SendingError("服务器的磁盘放不下", "own"));
  await settle(60_000);
  expect(states(uploader)).toBe("broken sending sending");
  uploader.reconnect();
  expect(states(uploader)).toBe("broken sending sending");
});

test("a film that the server lost begins anew with what goes with it and what was typed", async () => {
  const uploader = new Uploader();
  uploader.add([new File(["x"], "a.mp4"), new File(["x"], "a.srt")], []);
  started[0]?.onId("50b");
  started[0]?.onDone();
  await settle();
  last("a").onId("f00d");
  await uploader.describe(1, TYPED);
  last("a").onFault(new SendingError("已不在服务器上", "lost"));
  await settle();
  expect(uploader.snapshot()[0]).toMatchObject({ state: "broken", id: "" });
  uploader.resume(1);
  expect(started.at(-1)?.file.name).toBe("a.srt");
  started.at(-1)?.onId("50c");
  started.at(-1)?.onDone();
  await settle();
  expect(last("a")).toMatchObject({ id: "", beside: ["50c"] });
  last("a").onId("cafe");
  await settle();
  expect(asked.at(-1)).toMatchObject({ path: "/api/uploads/cafe/details", body: TYPED });
});
