import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/test.ts";
import { PlayerPage } from "../pages/player.ts";

/** Level AA of WCAG 2.2 with what it builds on. */
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

const SCREENS: readonly [string, string, (page: Page) => Promise<void>][] = [
  ["home", "/home", (page) => expect(page.getByRole("region", { name: "推荐" })).toBeVisible()],
  ["a list", "/list?typeId=0&orderby=new", (page) => expect(page.locator("a.tile").first()).toBeVisible()],
  ["search", "/search", (page) => expect(page.getByRole("region", { name: "大家在搜" }).first()).toBeVisible()],
  ["results", "/searchList?search=清单", (page) => expect(page.locator("a.tile").first()).toBeVisible()],
  ["nothing found", "/searchList?search=量子乌龟", (page) => expect(page.getByText("没有找到相关视频")).toBeVisible()],
  ["the player", "/playVideo?id=1", (page) => new PlayerPage(page).presentedFrames(3)],
  ["a locked video", "/playVideo?id=9", (page) => expect(page.getByText("怎么解锁")).toBeVisible()],
  ["the short feed", "/miin", (page) => expect(page.getByRole("button", { name: "评论" })).toBeVisible()],
  ["the rank", "/rank", (page) => expect(page.getByRole("link", { name: /真实的蝴蝶/ }).first()).toBeVisible()],
  ["artists", "/find/artist", (page) => expect(page.getByText("山野来信").first()).toBeVisible()],
  ["the rank's tab", "/find/rank", (page) => expect(page.getByText("真实的蝴蝶停在花上").first()).toBeVisible()],
  ["tags", "/find/tags", (page) => expect(page.getByText("慢旅行").first()).toBeVisible()],
  ["mine", "/mine", (page) => expect(page.getByText("本周更新").first()).toBeVisible()],
  ["the history", "/collectVideo?type=history", (page) => expect(page.getByText("还没有看过视频")).toBeVisible()],
  ["no favourites", "/collectVideo?type=favorite", (page) => expect(page.getByText("还没有喜欢的视频")).toBeVisible()],
  ["what others keep", "/favorites", (page) => expect(page.getByRole("heading", { name: "看看" })).toBeVisible()],
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
  ["the vendor page", "/vendor", (page) => expect(page.getByRole("heading", { level: 1 })).toBeVisible()],
];

for (const scheme of ["dark", "light"] as const) {
  for (const [name, path, isDrawn] of SCREENS) {
    test(`${name} is accessible in ${scheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      await page.goto(path);
      await isDrawn(page);
      await page.waitForLoadState("networkidle");
      const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
      );
      expect(found).toEqual([]);
    });
  }
}
