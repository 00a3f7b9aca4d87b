import { expect, it } from "vitest";
import { reasonOf } from "./reason.ts";

it.each([
  [null, ""],
  ["", ""],
  ["sign-in", "请先登录"],
  ["请先登录", "请先登录"],
  ["code-refused", "登录凭证无效或已过期，请从合作方页面重新进入"],
  ["登录凭证无效或已过期，请从合作方页面重新进入", "登录凭证无效或已过期，请从合作方页面重新进入"],
  ["请先登录。客服电话 400-000", ""],
  ["您的账号异常，请联系 https://evil.example", ""],
  ["constructor", ""],
  ["<b>x</b>", ""],
])("shows %j as %j", (given, shown) => {
  expect(reasonOf(given)).toBe(shown);
});
