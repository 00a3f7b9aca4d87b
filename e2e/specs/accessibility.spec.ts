import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/test.ts";
import { PlayerPage } from "../pages/player.ts";

/** Level AA of WCAG 2.2 with what it builds on. */
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

const isHeaded = (page: Page, name: string) => expect(page.getByRole("heading", { level: 1, name })).toBeVisible();

async function drawnHistory(page: Page): Promise<void> {
  const answer = await (await page.request.get("/api/videosort/0?orderby=new&page=1")).json();
  await page.evaluate((text) => localStorage.setItem("CM-H5:history", text), JSON.stringify(answer.rescont.data));
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
  await page.route("**/api/videosort/0?*", (route) => route.abort("connectionfailed"));
  await page.goto("/list?typeId=0&orderby=hot");
  await expect(page.getByRole("button", { name: "请求失败，点击我重新加载" })).toBeVisible();
}

async function drawnTerms(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.setItem("listStr", "极光延时,拉面"));
  await page.reload();
  await expect(page.getByRole("region", { name: "搜索历史" })).toBeVisible();
}

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
  ["an artist", "/artist-details?id=1", (page) => expect(page.locator("a.tile").first()).toBeVisible()],
  ["mine", "/mine", (page) => expect(page.getByText("本周更新").first()).toBeVisible()],
  ["the history", "/collectVideo?type=history", (page) => expect(page.getByText("还没有看过视频")).toBeVisible()],
  ["a full history", "/collectVideo?type=history", drawnHistory],
  ["the notices", "/mine?panel=notice", (page) => expect(page.getByText("祝你观看愉快。")).toBeVisible()],
  ["an unknown address", "/nowhere", (page) => isHeaded(page, "找不到页面")],
  ["a list in rows", "/list?typeId=0&orderby=new", drawnRows],
  ["the page slider", "/searchList?search=清单", drawnSlider],
  ["a list that failed", "/list?typeId=99&orderby=new", drawnFailure],
  ["a search history", "/search", drawnTerms],
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
    test(`${name} is accessible in ${scheme}`, async ({ page, expected }) => {
      // Some screens are about a failure.
      expected.allow(/Failed to load resource/);
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

/** Screens of text and lists; the player and the short feed are one picture each. */
const READABLE = SCREENS.filter(([name]) => !/player|feed|slider|locked/.test(name));

/** What a visitor reads or presses and lies outside the window, though nothing there can be scrolled sideways. */
async function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const scrolls = (element: Element | null): boolean =>
      element !== null && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    return [...document.querySelectorAll("a, button, input, h1, h2, h3, p, label, dt, dd")]
      .filter(
        (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest(".sr-only, .skip-link"),
      )
      .filter((element) => {
        const { left, right, width, height } = element.getBoundingClientRect();
        return (
          width > 1 && height > 1 && (left < -1 || right > window.innerWidth + 1) && !scrolls(element.parentElement)
        );
      })
      .map((element) => `${element.tagName}.${element.className}: ${element.textContent?.slice(0, 20)}`);
  });
}

/** Twice the size in a window of 640 px, four times in one of 1280 (WCAG 1.4.4, 1.4.10): 320 CSS pixels remain. */
for (const [name, path, isDrawn] of READABLE) {
  test(`${name} loses nothing when it is enlarged`, async ({ page, expected }) => {
    expected.allow(/Failed to load resource/);
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(path);
    await isDrawn(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    expect(await cutOff(page)).toEqual([]);
  });
}

test("nothing moves by itself where less motion is wanted", async ({ page, expected }) => {
  test.setTimeout(180_000);
  expected.allow(/Failed to load resource/);
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const [name, path, isDrawn] of READABLE) {
    await page.goto(path);
    await isDrawn(page);
    const moving = () =>
      page.evaluate(() =>
        document
          .getAnimations()
          .filter(({ playState, effect }) => playState === "running" && Number(effect?.getTiming().duration) > 1)
          .map(({ effect }) => (effect as KeyframeEffect).target?.className ?? ""),
      );
    expect(await moving(), name).toEqual([]);
  }
});

test.describe("with a keyboard", () => {
  test.use({ viewport: { width: 1440, height: 900 }, isMobile: false, hasTouch: false });

  for (const [path, last] of [
    ["/find/tags", "慢旅行"],
    ["/search", "海边"],
    ["/vendor", "请从合作网站重新进入"],
    ["/collectVideo?type=history", "还没有看过视频"],
    ["/artist-details?id=1", "没有更多了"],
  ] as const) {
    test(`everything on ${path} is reached, and shows that it is`, async ({ page }) => {
      await page.goto(path);
      await expect(page.getByText(last).first()).toBeVisible();
      await page.waitForLoadState("networkidle");
      const wanted = await page.evaluate(() => {
        const all = [...document.querySelectorAll<HTMLElement>("a[href], button:not(:disabled), input")].filter(
          (element) => element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true }),
        );
        for (const [index, element] of all.entries()) element.dataset.place = String(index);
        (document.activeElement as HTMLElement | null)?.blur();
        return all.length;
      });
      expect(wanted).toBeGreaterThan(6);
      const reached = new Set<string>();
      const unseen: string[] = [];
      for (let presses = 0; presses < wanted + 5; presses += 1) {
        await page.keyboard.press("Tab");
        const focus = await page.evaluate(() => {
          const element = document.activeElement as HTMLElement | null;
          const surroundings = [element, element?.parentElement].filter((one) => one !== null && one !== undefined);
          const isShown = surroundings.some((one) => {
            const { outlineStyle, boxShadow } = getComputedStyle(one);
            return outlineStyle !== "none" || boxShadow !== "none";
          });
          return { place: element?.dataset.place, isShown, text: element?.textContent?.slice(0, 20) };
        });
        if (focus.place === undefined) continue;
        reached.add(focus.place);
        if (!focus.isShown) unseen.push(`${focus.place} ${focus.text}`);
      }
      expect(reached.size).toBe(wanted);
      expect(unseen).toEqual([]);
    });
  }
});
