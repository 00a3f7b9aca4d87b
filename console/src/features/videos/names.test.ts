import { expect, test } from "vitest";
import { joined, namesOf } from "@/features/videos/names.ts";

test.each([
  ["海边、旅行", ["海边", "旅行"]],
  [" 海边 ，旅行,海边\n夜景 ", ["海边", "旅行", "夜景"]],
  ["", []],
  ["、，", []],
])("%j names %j", (text, names) => {
  expect(namesOf(text)).toEqual(names);
});

test("names that were joined are the same again", () => {
  expect(namesOf(joined(["海边", "旅 行"]))).toEqual(["海边", "旅 行"]);
});
