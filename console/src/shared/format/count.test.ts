import { expect, test } from "vitest";
import { count, short } from "@/shared/format/count.ts";

test.each([
  [999, "999", "999"],
  [9999, "9,999", "9,999"],
  [12_345, "12,345", "1.2万"],
  [1_284_035, "1,284,035", "128.4万"],
])("%i is %s, in short %s", (value, whole, said) => {
  expect([count(value), short(value)]).toEqual([whole, said]);
});
