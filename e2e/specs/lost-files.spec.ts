import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/test.ts";
import { HomePage } from "../pages/home.ts";

// A worker would answer from its cache.
test.use({ serviceWorkers: "block" });

const LOST = /Failed to load resource|Unable to preload CSS|dynamically imported module/;

/** Where a tab leads, and what shows that its screen is drawn and dressed. */
const TABS: readonly [string, string][] = [
  ["排行", "/rank"],
  ["发现", "/find/rank"],
  ["miin", "/miin"],
  ["看看", "/favorites"],
  ["我的", "/mine"],
];

/** Loses the first answer for a style sheet from now on. @returns The sheet's path, once it is lost. */
async function loseOneSheet(page: Page): Promise<() => string> {
  let lost = "";
  await page.route(/\/assets\/.+\.css$/, (route) => {
    if (lost) return route.continue();
    lost = new URL(route.request().url()).pathname;
    return route.abort("connectionfailed");
  });
  return () => lost;
}

const isApplied = (page: Page, path: string) =>
  page.evaluate(
    (wanted) =>
      [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].some(
        (link) => new URL(link.href).pathname === wanted && link.sheet !== null,
      ),
    path,
  );

for (const [tab, path] of TABS) {
  test(`${path} opens although the network loses one of its style sheets`, async ({
    page,
    finger,
    expected,
  }) => {
    expected.allow(LOST);
    const home = new HomePage(page);
    await home.open();
    const lost = await loseOneSheet(page);
    await finger.press(home.tab(tab));
    await expect(home.tab(tab)).toHaveAttribute("aria-current", "page");
    await expect(page.locator(".waiting, .screen-failed")).toHaveCount(0);
    await expect(page.locator("#screen :is(h1, h2, button, a):visible").first()).toBeVisible();
    await expect.poll(async () => lost() !== "" && (await isApplied(page, lost()))).toBe(true);
  });
}

test("a screen whose code cannot be had says so, and comes with one tap", async ({
  page,
  finger,
  expected,
}) => {
  expected.allow(LOST);
  const home = new HomePage(page);
  await home.open();
  await page.route(/\/assets\/ranks-.+\.js$/, (route) => route.abort("connectionfailed"));
  await finger.press(home.tab("排行"));
  const again = page.getByRole("button", { name: "重新加载" });
  await expect(again).toBeVisible();
  // The tab bar is alive: the way to other screens, and back to this one, is open.
  await finger.press(home.tab("首页"));
  await home.isDrawn();
  await page.unroute(/\/assets\/ranks-.+\.js$/);
  await finger.press(home.tab("排行"));
  await expect(again.or(page.getByRole("button", { name: "日榜" })).first()).toBeVisible();
  while (await again.isVisible()) await finger.press(again);
  await expect(page.getByRole("button", { name: "日榜" }).first()).toBeVisible();
});

test("home comes without a part of it whose code cannot be had", async ({ page, expected }) => {
  expected.allow(LOST);
  let lost = 0;
  await page.route(/\/assets\/topics-.+\.js$/, (route) => {
    lost += 1;
    return route.abort("connectionfailed");
  });
  const home = new HomePage(page);
  await home.open();
  await page.mouse.wheel(0, 10_000);
  await expect.poll(() => lost).toBeGreaterThan(0);
  await expect(page.getByRole("region", { name: /^(解锁专区|专题)$/ })).toHaveCount(0);
  await home.isDrawn();
});
