import { expect, it } from "vitest";
import type { Video } from "@/shared/api/model.ts";
import { rankPage } from "./rank-pages.ts";

const page = (count: number) => ({
  items: Array.from({ length: count }, (_, index) => ({ id: index }) as Video),
  hasNext: true,
  total: 260,
  perPage: 24,
});

it("counts places through the pages", () => {
  expect(rankPage(page(24), 1).items.map(({ rank }) => rank)).toEqual(Array.from({ length: 24 }, (_, i) => i + 1));
  expect(rankPage(page(24), 3).items[0]?.rank).toBe(49);
});

it("ends at place 100", () => {
  const last = rankPage(page(24), 5);
  expect(last.items.map(({ rank }) => rank)).toEqual([97, 98, 99, 100]);
  expect(last).toMatchObject({ hasNext: false, total: 100 });
  expect(rankPage(page(24), 4).hasNext).toBe(true);
});

it("ends with the list where that is shorter", () => {
  expect(rankPage({ ...page(7), hasNext: false, total: 7 }, 1)).toMatchObject({ hasNext: false, total: 7 });
});
