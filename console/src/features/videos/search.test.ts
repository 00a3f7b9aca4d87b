import { expect, test } from "vitest";
import { filterOf, queryOf, SEARCH } from "@/features/videos/search.ts";

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

test("a filter knows no order", () => {
  expect(filterOf({ text: "海", sort: "views", ascending: false })).toEqual({ text: "海" });
});
