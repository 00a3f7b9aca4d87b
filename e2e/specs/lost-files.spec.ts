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

/** Loses the first so many answers for files of a kind that are asked for from now on. */
async function lose(page: Page, files: RegExp, times: number): Promise<() => number> {
  let lost = 0;
  await page.route(files, (route) => {
    if (lost >= times) return route.continue();
    lost += 1;
    return route.abort("connectionfailed");
  });
  return () => lost;
}

/** Style sheets of the document that did not come. */
const undressed = (page: Page) =>
  page.evaluate(
    () =>
      [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].filter(
        (link) => link.sheet === null,
      ).length,
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
    await lose(page, /\/assets\/.+\.css$/, 1);
    await finger.press(home.tab(tab));
    await expect(home.tab(tab)).toHaveAttribute("aria-current", "page");
    await expect(page.locator(".waiting, .screen-failed")).toHaveCount(0);
    await expect(page.locator("#screen :is(h1, h2, button, a):visible").first()).toBeVisible();
    await expect.poll(() => undressed(page)).toBe(0);
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
  await page.route(/\/assets\/rank-screen-.+\.js$/, (route) => route.abort("connectionfailed"));
  await finger.press(home.tab("排行"));
  const again = page.getByRole("button", { name: "重新加载" });
  await expect(again).toBeVisible();
  // The tab bar is alive: the way to other screens, and back to this one, is open.
  await finger.press(home.tab("首页"));
  await home.isDrawn();
  await page.unroute(/\/assets\/rank-screen-.+\.js$/);
  await finger.press(home.tab("排行"));
  await expect(again.or(page.getByRole("button", { name: "日榜" })).first()).toBeVisible();
  while (await again.isVisible()) await finger.press(again);
  await expect(page.getByRole("button", { name: "日榜" }).first()).toBeVisible();
});

test("home comes without a part of it whose code cannot be had", async ({ page, expected }) => {
  expected.allow(LOST);
  await page.route(/\/assets\/unlock-block-.+\.js$/, (route) => route.abort("connectionfailed"));
  const home = new HomePage(page);
  await home.open();
  await page.mouse.wheel(0, 10_000);
  await expect(page.getByRole("region", { name: "解锁专区" })).toHaveCount(0);
  await home.isDrawn();
});
