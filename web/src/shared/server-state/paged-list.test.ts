import { expect, it, vi } from "vitest";
import type { Page } from "@/shared/api/model.ts";
import { PagedList } from "./paged-list.ts";

interface Asked {
  readonly page: number;
  readonly after: string | undefined;
  readonly signal: AbortSignal;
  readonly resolve: (page: Page<string>) => void;
  readonly reject: (error: Error) => void;
}

function controlled() {
  const asked: Asked[] = [];
  const list = new PagedList<string>(
    (number, signal, { after }) =>
      new Promise((resolve, reject) =>
        asked.push({ page: number, after, signal, resolve, reject }),
      ),
  );
  return { asked, list };
}

const page = (...items: string[]): Page<string> => ({ items, hasNext: true, total: 9, perPage: 3 });

it("asks one page at a time", async () => {
  const { asked, list } = controlled();
  const first = list.loadNext();
  await list.loadNext();
  asked[0]?.resolve(page("a"));
  await first;
  expect(asked.map((entry) => entry.page)).toEqual([1]);
  expect(list.state().items).toEqual(["a"]);
});

it("says where the page before ended, until the visitor jumps", async () => {
  const { asked, list } = controlled();
  const first = list.loadNext();
  asked[0]?.resolve({ ...page("a"), after: "5_7" });
  await first;
  const second = list.loadNext();
  asked[1]?.resolve({ ...page("b"), after: "4_6" });
  await second;
  const jump = list.restart(9);
  asked[2]?.resolve(page("z"));
  await jump;
  expect(asked.map(({ page: number, after }) => [number, after])).toEqual([
    [1, undefined],
    [2, "5_7"],
    [9, undefined],
  ]);
});

it("stops the request under way when it restarts, and never shows its answer", async () => {
  const { asked, list } = controlled();
  const first = list.loadNext();
  const second = list.restart(4);
  expect(asked[0]?.signal.aborted).toBe(true);
  asked[0]?.resolve(page("old"));
  asked[1]?.resolve(page("new"));
  await Promise.all([first, second]);
  expect(asked.map((entry) => entry.page)).toEqual([1, 4]);
  expect(list.state().items).toEqual(["new"]);
});

it("shows a failure and recovers with one more load", async () => {
  const warned = vi.mocked(console.warn).mockImplementation(() => {});
  const { asked, list } = controlled();
  const first = list.loadNext();
  asked[0]?.reject(new Error("no network"));
  await first;
  expect(list.state().status).toBe("error");
  expect(warned).toHaveBeenCalledOnce();
  warned.mockClear();
  const second = list.loadNext();
  asked[1]?.resolve(page("a"));
  await second;
  expect(list.state()).toMatchObject({ status: "idle", items: ["a"], nextPage: 2 });
});

it("tells who listens of each change, and no one after that", async () => {
  const { asked, list } = controlled();
  const listener = vi.fn();
  const end = list.subscribe(listener);
  const first = list.loadNext();
  expect(listener).toHaveBeenCalledTimes(1);
  end();
  asked[0]?.resolve(page());
  await first;
  expect(listener).toHaveBeenCalledTimes(1);
});

it("asks again for the page that moved when an item goes, and lists nothing twice", async () => {
  const asked: number[] = [];
  const server = ["a", "b", "c", "d", "e"];
  const list = new PagedList<string>(
    async (number) => {
      asked.push(number);
      const items = server.slice((number - 1) * 2, number * 2);
      return { items, hasNext: number * 2 < server.length, total: server.length, perPage: 2 };
    },
    (item) => item,
  );
  await list.loadNext();
  server.splice(0, 1);
  list.edit((items) => items.slice(1));
  expect(list.state()).toMatchObject({ items: ["b"], total: 4 });
  await list.loadNext();
  await list.loadNext();
  expect(asked).toEqual([1, 1, 2]);
  expect(list.state()).toMatchObject({ items: ["b", "c", "d", "e"], status: "finished", total: 4 });
});

it("asks anew for a page that is on its way when an item goes", async () => {
  const { asked, list } = controlled();
  const first = list.loadNext();
  asked[0]?.resolve(page("a", "b", "c"));
  await first;
  void list.loadNext();
  list.edit((items) => items.slice(1));
  expect(asked[1]?.signal.aborted).toBe(true);
  expect(asked.map((entry) => entry.page)).toEqual([1, 2, 1]);
});
