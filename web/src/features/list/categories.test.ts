import { expect, it } from "vitest";
import { type CategoryTab, categoryName, categoryTabs } from "./categories.ts";

const tab = (id: number, name: string) => ({ id, name });

it("puts 全部 first, once, whether the server sends it or not", () => {
  const names = (tabs: readonly { name: string }[]) => tabs.map(({ name }) => name);
  expect(names(categoryTabs([tab(1, "旅行")], [72, 73]))).toEqual(["全部", "旅行"]);
  expect(names(categoryTabs([tab(1, "旅行"), tab(0, "全部")], [72, 73]))).toEqual(["全部", "旅行"]);
});

it("leaves out the categories that are no tab", () => {
  const tabs = categoryTabs([tab(72, "短视频"), tab(73, "分享解锁"), tab(2, "美食")], [72, 73]);
  expect(tabs.map(({ id }) => id)).toEqual([0, 2]);
});

it("names the lists of categories that are no tab", () => {
  const name = (id: number, found?: CategoryTab) =>
    categoryName(id, [tab(2, "美食")], { shortCategory: 72, shareCategory: 73 }, found);
  expect([2, 72, 73, 9].map((id) => name(id))).toEqual(["美食", "短视频", "分享解锁", "视频"]);
  expect(name(9, tab(9, "夜景"))).toBe("夜景");
  expect(name(73, tab(73, "会员"))).toBe("会员");
  // What another list's videos said.
  expect(name(9, tab(8, "夜景"))).toBe("视频");
});
