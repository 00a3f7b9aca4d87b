import { describe, expect, it } from "vitest";
import {
  emptyList,
  type ListAction,
  type ListState,
  pageOfItem,
  reduceList,
  totalPages,
} from "./paging.ts";

type Action = ListAction<string>;

const page = (items: string[], hasNext = true) => ({ items, hasNext, total: 7, perPage: 2 });
const loaded = (items: string[], hasNext = true, generation = 0): Action => ({
  kind: "loaded",
  generation,
  page: page(items, hasNext),
});
const LOAD: Action = { kind: "load" };
const after = (...actions: Action[]): ListState<string> =>
  actions.reduce(reduceList<string>, emptyList<string>());

describe("reduceList", () => {
  it("appends pages and counts them after each success", () => {
    const state = after(LOAD, loaded(["a", "b"]), LOAD, loaded(["c", "d"]));
    expect(state).toMatchObject({
      status: "idle",
      items: ["a", "b", "c", "d"],
      nextPage: 3,
      total: 7,
    });
  });

  it("is finished when there is no next page, and loads nothing more", () => {
    const state = after(LOAD, loaded(["a"], false));
    expect(state.status).toBe("finished");
    expect(reduceList(state, LOAD)).toBe(state);
  });

  it("keeps what it has when a later page fails, and asks for the same page again", () => {
    const failed = after(LOAD, loaded(["a", "b"]), LOAD, { kind: "failed", generation: 0 });
    expect(failed).toMatchObject({ status: "error", items: ["a", "b"], nextPage: 2 });
    expect(reduceList(failed, LOAD)).toMatchObject({ status: "loading", nextPage: 2 });
  });

  it("asks once while a request is under way", () => {
    const loading = after(LOAD);
    expect(reduceList(loading, LOAD)).toBe(loading);
  });

  it("clears at a refresh and takes page 1", () => {
    const state = after(LOAD, loaded(["a", "b"]), { kind: "restart", page: 1 });
    expect(state).toMatchObject({
      status: "idle",
      items: [],
      firstPage: 1,
      nextPage: 1,
      generation: 1,
    });
  });

  it("clears at a jump, takes that page and goes on behind it", () => {
    const state = after(
      LOAD,
      loaded(["a"]),
      { kind: "restart", page: 3 },
      LOAD,
      loaded(["e", "f"], true, 1),
    );
    expect(state).toMatchObject({ items: ["e", "f"], firstPage: 3, nextPage: 4 });
  });

  it("drops answers and failures from before it was cleared", () => {
    const restarted = after(LOAD, { kind: "restart", page: 1 }, LOAD);
    expect(reduceList(restarted, loaded(["old"], true, 0))).toBe(restarted);
    expect(reduceList(restarted, { kind: "failed", generation: 0 })).toBe(restarted);
  });
});

it("counts pages as ceil(total / per page)", () => {
  expect(totalPages({ total: 7, perPage: 2 })).toBe(4);
  expect(totalPages({ total: 8, perPage: 2 })).toBe(4);
  expect(totalPages({ total: 0, perPage: 2 })).toBe(0);
  expect(totalPages({ total: null, perPage: 0 })).toBe(0);
});

it("knows an item's page, also after a jump", () => {
  expect(pageOfItem({ firstPage: 1, perPage: 24 }, 23)).toBe(1);
  expect(pageOfItem({ firstPage: 1, perPage: 24 }, 24)).toBe(2);
  expect(pageOfItem({ firstPage: 9, perPage: 24 }, 24)).toBe(10);
});
