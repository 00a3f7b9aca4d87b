import { expect, it } from "vitest";
import { reasonOf } from "./reason.ts";

it.each([
  [null, ""],
  ["凭证已失效", "凭证已失效"],
  ["a\n\u202e b\u0000c", "a b c"],
  ["长".repeat(300), "长".repeat(100)],
  ["<b>x</b>", "<b>x</b>"],
])("shows %j as %j", (given, shown) => {
  expect(reasonOf(given)).toBe(shown);
});
