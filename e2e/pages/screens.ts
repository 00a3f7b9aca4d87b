import { expect, type Page } from "@playwright/test";
import { withoutAnswers } from "../fixtures/boot.ts";
import { PlayerPage } from "./player.ts";

const isHeaded = (page: Page, name: string) =>
  expect(page.getByRole("heading", { level: 1, name })).toBeVisible();

async function drawnHistory(page: Page): Promise<void> {
  const answer = await (await page.request.get("/api/videosort/0?orderby=new&page=1")).json();
  await page.evaluate(
    (text) => localStorage.setItem("CM-H5:history", text),
    JSON.stringify(answer.rescont.data),
  );
  await page.reload();
  await expect(page.locator(".collect-tile")).toHaveCount(24);
}

async function drawnRows(page: Page): Promise<void> {
  await page.getByRole("button", { name: "切换为列表" }).click();
  await expect(page.locator(".ad-tile").first()).toBeAttached();
}

async function drawnSlider(page: Page): Promise<void> {
  await page.locator(".page-pill").click();
  await expect(page.getByRole("dialog", { name: "选择页码" })).toBeVisible();
}

async function drawnFailure(page: Page): Promise<void> {
  await withoutAnswers(page);
  await page.route("**/api/videosort/0?*", (route) => route.abort("connectionfailed"));
  await page.goto("/list?typeId=0&orderby=hot");
  await expect(page.getByRole("button", { name: "请求失败，点击我重新加载" })).toBeVisible();
}

async function drawnTerms(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.setItem("listStr", "极光延时,拉面"));
  await page.reload();
  await expect(page.getByRole("region", { name: "搜索历史" })).toBeVisible();
}

/** What a visitor can come to: its name, its address, and when all of it is there. */
export const SCREENS: readonly [string, string, (page: Page) => Promise<void>][] = [
  ["home", "/home", (page) => expect(page.getByRole("region", { name: "推荐" })).toBeVisible()],
  [
    "a list",
    "/list?typeId=0&orderby=new",
    (page) => expect(page.locator("a.tile").first()).toBeVisible(),
  ],
  ["a topic", "/topic?id=1", (page) => expect(page.locator("a.tile").first()).toBeVisible()],
  [
    "search",
    "/search",
    (page) => expect(page.getByRole("region", { name: "大家在搜" }).first()).toBeVisible(),
  ],
  [
    "results",
    "/searchList?search=清单",
    (page) => expect(page.locator("a.tile").first()).toBeVisible(),
  ],
  [
    "nothing found",
    "/searchList?search=量子乌龟",
    (page) => expect(page.getByText("没有找到相关视频")).toBeVisible(),
  ],
  ["the player", "/playVideo?id=1", (page) => new PlayerPage(page).presentedFrames(3)],
  ["a locked video", "/playVideo?id=9", (page) => expect(page.getByText("怎么解锁")).toBeVisible()],
  [
    "the short feed",
    "/miin",
    (page) => expect(page.getByRole("button", { name: "评论" })).toBeVisible(),
  ],
  [
    "the rank",
    "/rank",
    (page) => expect(page.getByRole("link", { name: /真实的蝴蝶/ }).first()).toBeVisible(),
  ],
  ["artists", "/find/artist", (page) => expect(page.getByText("山野来信").first()).toBeVisible()],
  [
    "the rank's tab",
    "/find/rank",
    (page) => expect(page.getByText("真实的蝴蝶停在花上").first()).toBeVisible(),
  ],
  ["tags", "/find/tags", (page) => expect(page.getByText("慢旅行").first()).toBeVisible()],
  [
    "an artist",
    "/artist-details?id=1",
    (page) => expect(page.locator("a.tile").first()).toBeVisible(),
  ],
  ["mine", "/mine", (page) => expect(page.getByText("本周更新").first()).toBeVisible()],
  [
    "the history",
    "/collectVideo?type=history",
    (page) => expect(page.getByText("还没有看过视频")).toBeVisible(),
  ],
  ["a full history", "/collectVideo?type=history", drawnHistory],
  [
    "the notices",
    "/mine?panel=notice",
    (page) => expect(page.getByText("祝你观看愉快。")).toBeVisible(),
  ],
  ["an unknown address", "/nowhere", (page) => isHeaded(page, "找不到页面")],
  ["a list in rows", "/list?typeId=0&orderby=new", drawnRows],
  ["the page slider", "/searchList?search=清单", drawnSlider],
  ["a list that failed", "/list?typeId=99&orderby=new", drawnFailure],
  ["a search history", "/search", drawnTerms],
  [
    "no favourites",
    "/collectVideo?type=favorite",
    (page) => expect(page.getByText("还没有喜欢的视频")).toBeVisible(),
  ],
  [
    "what others keep",
    "/favorites",
    (page) => expect(page.getByRole("heading", { name: "看看" })).toBeVisible(),
  ],
  [
    "the change of the code",
    "/mine",
    async (page) => {
      await page.getByRole("button", { name: "更换", exact: true }).click();
      await expect(page.getByRole("dialog", { name: "更换识别码" })).toBeVisible();
    },
  ],
  [
    "feedback",
    "/mine",
    async (page) => {
      await page.getByRole("button", { name: "意见反馈" }).click();
      await expect(page.getByRole("dialog", { name: "意见反馈" })).toBeVisible();
    },
  ],
  [
    "the vendor page",
    "/vendor",
    (page) => expect(page.getByRole("heading", { level: 1 })).toBeVisible(),
  ],
];

/** Screens of text and lists; the player and the short feed are one picture each. */
export const READABLE = SCREENS.filter(([name]) => !/player|short feed|slider|locked/.test(name));
