import { expect, it } from "vitest";
import { ApiError } from "@/shared/api/client.ts";
import { failureText } from "./use-report-form.ts";

it.each([
  [404, "没有"],
  [429, "操作过于频繁，请稍后再试"],
  [0, "网络异常，请稍后重试"],
  [503, "网络异常，请稍后重试"],
])("says of %i what it means", (code, text) =>
  expect(failureText(new ApiError("", code), "没有")).toBe(text),
);

it("says of any other fault that the network is at fault", () =>
  expect(failureText(new TypeError(), "没有")).toBe("网络异常，请稍后重试"));
