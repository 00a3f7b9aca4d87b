import { expect, test } from "vitest";
import { filterOf, listOf, queryOf, SEARCH } from "@/features/videos/search.ts";

test("an address is read, and what it should not say is left out", () => {
  expect(SEARCH.parse({ text: "海", state: "nothing", category: "x", sort: "views" })).toEqual({
    text: "海",
    sort: "views",
  });
});

test("a page's query holds what is said alone", () => {
  expect(queryOf({ text: "", state: "hidden", ascending: true }, "5_7")).toBe(
    "state=hidden&ascending=true&after=5_7",
  );
});

test("how much is shown is no part of what is listed", () => {
  const search = SEARCH.parse({ state: "hidden", pages: 3 });
  expect(search.pages).toBe(3);
  expect(listOf(search)).toEqual({ state: "hidden" });
  expect(queryOf(search, "")).toBe("state=hidden");
  expect(filterOf(search)).toEqual({ state: "hidden" });
});

test.each([1, 0, -1, 1.5, 1_000_000, "many"])("an address cannot ask for %s pages", (pages) => {
  expect(SEARCH.parse({ pages }).pages).toBeUndefined();
});

test("a filter knows no order", () => {
  expect(filterOf({ text: "海", sort: "views", ascending: false })).toEqual({ text: "海" });
});
