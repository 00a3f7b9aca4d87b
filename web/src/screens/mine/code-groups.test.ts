import { expect, it } from "vitest";
import { codeGroups } from "./code-groups.ts";

it.each([
  ["k7m2p9xq4t8w", ["k7m2", "p9xq", "4t8w"]],
  ["abc123", ["abc1", "23"]],
  ["", []],
])("cuts %s", (code, groups) => {
  expect(codeGroups(code).map(({ text }) => text)).toEqual(groups);
  for (const { start, text } of codeGroups(code)) expect(code.startsWith(text, start)).toBe(true);
});
