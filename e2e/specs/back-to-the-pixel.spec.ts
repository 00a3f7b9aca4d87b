import type { Page } from "@playwright/test";
import { CONTENT, followTraffic, restingScroll, watchRequests } from "../fixtures/observe.ts";
import { expect, type Finger, test } from "../fixtures/test.ts";
import { HomePage } from "../pages/home.ts";
import { PlayerPage } from "../pages/player.ts";
import { VideoListPage } from "../pages/video-list.ts";

const WAYS: readonly [string, (page: Page, finger: Finger) => Promise<void>][] = [
  ["of the browser", async (page) => void (await page.goBack())],
  [
    "of the screen",
    (page, finger) =>
      finger.press(page.getByRole("button", { name: "返回" }).filter({ visible: true })),
  ],
];

for (const [name, back] of WAYS) {
  test(`the way back ${name} finds the list and home where they were, without a request`, async ({
    page,
    context,
    finger,
  }) => {
    const home = new HomePage(page);
    const list = new VideoListPage(page);
    const trafficIsOver = followTraffic(page);
    await home.open();
    await finger.drag({ x: 195, y: 600 }, { x: 195, y: 480 });
    const homeScroll = await restingScroll(page);
    expect(homeScroll).toBeGreaterThan(0);
    await trafficIsOver();

    await finger.press(home.categories.getByRole("link", { name: "全部" }));
    await expect(page).toHaveURL(/\/list\?typeId=0&orderby=new$/);
    await list.isDrawn();
    await list.scrollUntil(finger, async () => /^3\b/.test(await list.pagePill.innerText()));
    const listScroll = await restingScroll(page);
    await trafficIsOver();
    const index = await list.tileInSight();
    const address = await list.tiles.nth(index).getAttribute("href");
    const place = await list.tiles.nth(index).boundingBox();

    await finger.press(list.tiles.nth(index));
    await expect(new PlayerPage(page).player).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`${address?.replace("?", "\\?")}$`));
    await expect(page.locator(".similar a").first()).toBeVisible();
    await trafficIsOver();
    const requests = watchRequests(context, CONTENT);

    await back(page, finger);
    await expect(page).toHaveURL(/\/list/);
    const tile = page.locator(`a.tile[href="${address}"]:visible`);
    await expect(tile).toBeVisible();
    expect(await restingScroll(page)).toBe(listScroll);
    expect(await tile.boundingBox()).toEqual(place);

    await back(page, finger);
    await expect(page).toHaveURL(/\/home$/);
    await home.isDrawn();
    expect(await restingScroll(page)).toBe(homeScroll);
    expect(requests).toEqual([]);
  });
}
