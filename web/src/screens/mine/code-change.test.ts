// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { UUID } from "@/shared/storage/entries.ts";
import { read, write } from "@/shared/storage/registry.ts";
import { CODE_CHANGES } from "@/shared/storage/screen-entries.ts";
import { codeProblem, countedChanges, isGuessable, tryChangeCode } from "./code-change.ts";

const DAY = 86_400_000;
const NOW = 1_800_000_000_000;
const OLD = "k7m2p9xq4t8w";
const NEW = "a1b2c3d4e5f6";
const INVALID = "请输入正确的资料识别码";
const LIMIT = "24小时内只能更改2次，请稍后再试!";

function answer(code: number, msg = "") {
  const body = { code, msg, rescont: { left: 1 } };
  return vi
    .spyOn(globalThis, "fetch")
    .mockImplementation(async () => Response.json(body, { status: code }));
}

beforeEach(() => {
  localStorage.clear();
  write(UUID, OLD);
  vi.spyOn(console, "info").mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

it.each([
  ["", INVALID],
  ["abc12", INVALID],
  ["abcdefghijklm", INVALID],
  ["ABCDEF", INVALID],
  ["abc-12", INVALID],
  ["资料识别码", INVALID],
  ["abc123\n", INVALID],
  [OLD, "资料识别码未变更"],
  ["abc123", null],
  [NEW, null],
])("judges %j", (wanted, problem) => expect(codeProblem(wanted, OLD)).toBe(problem));

it("warns of codes that are short, not of those that are no codes", () => {
  expect([isGuessable("abc123456"), isGuessable("abc1234567"), isGuessable("abc")]).toEqual([
    true,
    false,
    false,
  ]);
});

it("counts changes for 24 hours, and none that lie ahead of the clock", () => {
  const changes = { timestamp: NOW, used: 2 };
  expect(countedChanges(changes, NOW + DAY - 1)).toBe(changes);
  expect(countedChanges(changes, NOW + DAY)).toEqual({ timestamp: NOW + DAY, used: 0 });
  expect(countedChanges({ timestamp: NOW + 1, used: 2 }, NOW)).toEqual({ timestamp: NOW, used: 0 });
});

it("asks in the old code's name, then keeps the new one and counts the change", async () => {
  const fetched = answer(200);
  expect(await tryChangeCode(NEW, NOW)).toEqual({ isChanged: true, left: 1 });
  const [, request] = fetched.mock.calls[0] ?? [];
  expect(request?.headers).toMatchObject({ "X-Visitor-Code": OLD });
  expect(request?.body).toBe(JSON.stringify({ code: NEW }));
  expect(read(UUID)).toBe(NEW);
  expect(read(CODE_CHANGES)).toEqual({ timestamp: NOW, used: 1 });
});

it("asks nothing for the third change of a day", async () => {
  const fetched = answer(200);
  write(CODE_CHANGES, { timestamp: NOW - 1, used: 2 });
  expect(await tryChangeCode(NEW, NOW)).toEqual({ isChanged: false, problem: LIMIT });
  expect(fetched).not.toHaveBeenCalled();
  expect((await tryChangeCode(NEW, NOW + DAY)).isChanged).toBe(true);
});

it.each([
  [429, LIMIT, LIMIT],
  [429, "操作过于频繁，请稍后再试", "网络异常，请稍后重试"],
  [422, INVALID, INVALID],
  [500, "", "网络异常，请稍后重试"],
])("keeps the old code where the server answers %i, %s", async (code, msg, problem) => {
  answer(code, msg);
  expect(await tryChangeCode(NEW, NOW)).toEqual({ isChanged: false, problem });
  expect(read(UUID)).toBe(OLD);
  expect(read(CODE_CHANGES).used).toBe(0);
});
