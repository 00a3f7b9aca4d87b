// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from "vitest";
import { read } from "@/shared/storage/registry.ts";
import { SEARCH_HISTORY, SEARCH_HISTORY_CAP } from "@/shared/storage/screen-entries.ts";
import {
  clearSearches,
  recordSearch,
  resultsAddress,
  searchTerm,
  withTerm,
} from "./search-history.ts";

beforeEach(() => localStorage.clear());

describe("searchTerm", () => {
  it("trims and joins spaces", () => expect(searchTerm("  极光   延时 ")).toBe("极光 延时"));
  it("cuts by characters, not by halves of them", () =>
    expect(searchTerm("😀".repeat(80))).toBe("😀".repeat(64)));
  it("is empty for spaces", () => expect(searchTerm(" \n ")).toBe(""));
});

describe("withTerm", () => {
  it("moves a known term to the top", () => expect(withTerm(["a", "b"], "b")).toEqual(["b", "a"]));
  it("keeps one entry for a term with commas", () =>
    expect(withTerm([], "猫,狗，鱼")).toEqual(["猫 狗 鱼"]));
  it("keeps nothing of commas alone", () => expect(withTerm(["a"], "，,")).toEqual(["a"]));
});

it("is stored comma-separated under listStr, without duplicates and with an end", () => {
  for (const term of ["极光", "拉面", "极光", "a,b"]) recordSearch(term);
  expect(localStorage.getItem("listStr")).toBe("a b,极光,拉面");
  for (let index = 0; index < 30; index += 1) recordSearch(`词${index}`);
  expect(read(SEARCH_HISTORY)).toHaveLength(SEARCH_HISTORY_CAP);
});

it("clears all and brings all back, behind what was searched since", () => {
  for (const term of ["极光", "拉面"]) recordSearch(term);
  const undo = clearSearches();
  expect(read(SEARCH_HISTORY)).toEqual([]);
  recordSearch("猫");
  undo();
  expect(read(SEARCH_HISTORY)).toEqual(["猫", "拉面", "极光"]);
});

it("writes an address that keeps every character", () => {
  const search = new URL(resultsAddress("a&b=c #50%"), "http://x").searchParams.get("search");
  expect(search).toBe("a&b=c #50%");
});
