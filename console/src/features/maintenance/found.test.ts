import { expect, test } from "vitest";
import { foundCounts } from "@/features/maintenance/found.ts";

test.each([
  [1, 6, ["1 个错误", "6 个需要处理"]],
  [0, 6, ["6 个需要处理"]],
  [2, 0, ["2 个错误"]],
  [0, 0, []],
])("%i errors and %i warnings are %j", (errors, warnings, said) => {
  expect(foundCounts(errors, warnings)).toEqual(said);
});
