import { expect, it, vi } from "vitest";
import { AnswerStore } from "./answer-store.ts";

it("asks once, also when two views ask at the same time", async () => {
  const store = new AnswerStore();
  const load = vi.fn(async () => 7);
  await Promise.all([store.ask("a", load), store.ask("a", load)]);
  await store.ask("a", load);
  expect(load).toHaveBeenCalledOnce();
  expect(store.get("a")).toEqual({ data: 7, isLoading: false, isError: false });
});

it("says that a question failed and asks again when told to", async () => {
  const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
  const store = new AnswerStore();
  await store.ask("a", () => Promise.reject(new Error("no network")));
  expect(store.get("a").isError).toBe(true);
  expect(warned).toHaveBeenCalledOnce();
  warned.mockClear();
  await store.ask("a", async () => 1);
  expect(store.get("a")).toEqual({ data: 1, isLoading: false, isError: false });
});

it("tells its listeners of each change until they leave", () => {
  const store = new AnswerStore();
  const heard = vi.fn();
  const stop = store.subscribe(heard);
  store.set("a", 1);
  stop();
  store.set("a", 2);
  expect(heard).toHaveBeenCalledOnce();
});
