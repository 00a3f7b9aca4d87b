import type { Page } from "@playwright/test";
import { CONTENT, followTraffic, watchRequests } from "../fixtures/observe.ts";
import { expect, test } from "../fixtures/test.ts";
import { PlayerPage } from "../pages/player.ts";

const KEY = "CM-H5:history";

/** Puts the two first pages of the hottest into the watch history, the hottest on top. */
async function watchMany(page: Page): Promise<number[]> {
  const answers = await Promise.all(
    [1, 2].map(async (number) =>
      (await page.request.get(`/api/videosort/0?orderby=hot&page=${number}`)).json(),
    ),
  );
  const videos: { id: number }[] = answers.flatMap((answer) => answer.rescont.data);
  await page.goto("/mine");
  await page.evaluate(([key, text]) => localStorage.setItem(key, text), [
    KEY,
    JSON.stringify(videos),
  ] as const);
  await page.goto("/collectVideo?type=history");
  return videos.map(({ id }) => id);
}

const stored = (page: Page) =>
  page.evaluate(
    (key) =>
      (JSON.parse(localStorage.getItem(key) ?? "[]") as { id: number }[]).map(({ id }) => id),
    KEY,
  );

const shown = (page: Page) =>
  page
    .locator(".collect-tile")
    .evaluateAll((tiles) => tiles.map((tile) => Number((tile as HTMLElement).dataset.id)));

test("shows the latest 30, and a tap leads to the video", async ({ page, finger }) => {
  const ids = await watchMany(page);
  expect(ids.length).toBeGreaterThan(30);
  await expect(page.getByRole("heading", { level: 1, name: "观看历史" })).toBeVisible();
  await expect(page.locator(".collect-tile")).toHaveCount(30);
  expect(await shown(page)).toEqual(ids.slice(0, 30));
  await expect(page.getByText("仅显示最近 30 条")).toBeAttached();
  await finger.press(page.locator(".collect-tile a").first());
  await expect(page).toHaveURL(new RegExp(`/playVideo\\?id=${ids[0]}$`));
});

test("a watched video is kept under its key, the latest first and once", async ({ page }) => {
  const player = new PlayerPage(page);
  for (const id of [1, 2, 1]) {
    await player.open(id, "&ad_show=no");
    // It plays, however far it was watched before.
    await expect.poll(async () => (await stored(page))[0], { timeout: 15_000 }).toBe(id);
  }
  expect(await stored(page)).toEqual([1, 2]);
});

test("the X takes a video out of the list and the storage; 撤销 brings it back", async ({
  page,
  finger,
}) => {
  const ids = await watchMany(page);
  const message = page.locator(".message");
  await finger.press(page.locator(".collect-tile").nth(1).getByRole("button", { name: /^移除/ }));
  await expect(message).toContainText("已移除 1 条记录");
  await expect.poll(() => shown(page)).toEqual([ids[0], ...ids.slice(2, 31)]);
  expect(await stored(page)).not.toContain(ids[1]);
  await finger.press(message.getByRole("button", { name: "撤销" }));
  await expect.poll(() => shown(page)).toEqual(ids.slice(0, 30));
  expect(await stored(page)).toEqual(ids);
});

test("a message replaces the one before it, leaves after 3000 ms, and at once when it is tapped", async ({
  page,
  finger,
}) => {
  await page.clock.install();
  await watchMany(page);
  const message = page.locator(".message");
  const remove = () =>
    finger.press(page.locator(".collect-tile").first().getByRole("button", { name: /^移除/ }));
  await remove();
  await expect(message).toHaveCount(1);
  await finger.press(message.getByRole("button", { name: "已移除 1 条记录" }));
  await expect(message).toHaveCount(0);
  await remove();
  await expect(message).toContainText("已移除 1 条记录");
  await finger.press(page.getByRole("button", { name: "清空" }));
  await expect(message).toHaveCount(1);
  await expect(message).toContainText("观看历史已清空");
  await finger.press(message.getByRole("button", { name: "撤销" }));
  await expect(page.locator(".collect-tile")).toHaveCount(30);
  // From here on time stands still but for what the test lets pass.
  await page.clock.pauseAt(Date.now() + 60_000);
  await remove();
  await page.clock.fastForward(500);
  await finger.press(page.getByRole("button", { name: "清空" }));
  await expect(message).toContainText("观看历史已清空");
  await page.clock.fastForward(2999);
  await expect(message).toHaveCount(1);
  await page.clock.fastForward(1);
  await expect(message).toHaveCount(0);
});

test("pulling down does nothing", async ({ page, context, finger }) => {
  const trafficIsOver = followTraffic(page);
  const ids = await watchMany(page);
  await expect.poll(() => shown(page)).toEqual(ids.slice(0, 30));
  await trafficIsOver();
  const requests = watchRequests(context, CONTENT);
  await finger.drag({ x: 195, y: 200 }, { x: 195, y: 700 });
  await expect(page.locator(".pull")).toHaveCount(0);
  await expect(page.locator(".message")).toHaveCount(0);
  expect(await shown(page)).toEqual(ids.slice(0, 30));
  expect(requests).toEqual([]);
});
