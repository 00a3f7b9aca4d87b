// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import type { Notice } from "@/shared/api/model.ts";
import { isUnread, markRead, newestTime } from "./notices.ts";

const notice = (updatedAt: number) => ({ updatedAt }) as Notice;

beforeEach(() => localStorage.clear());

it("is unread only when the newest is later than what was read", () => {
  expect(isUnread([notice(5), notice(9)], 8)).toBe(true);
  expect(isUnread([notice(5), notice(9)], 9)).toBe(false);
  expect(isUnread([], 0)).toBe(false);
});

it("does not stumble over a broken time", () => {
  expect(newestTime([notice(Number.NaN), notice(3)])).toBe(3);
  expect(newestTime([notice(Number.NaN)])).toBe(0);
});

it("stores the newest time, and never an older one over it", () => {
  markRead([notice(9), notice(5)]);
  expect(localStorage.getItem("lastReadTimestamp")).toBe("9");
  markRead([notice(7)]);
  expect(localStorage.getItem("lastReadTimestamp")).toBe("9");
  markRead([]);
  expect(localStorage.getItem("lastReadTimestamp")).toBe("9");
});
