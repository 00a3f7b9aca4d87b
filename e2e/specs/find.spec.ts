import { followTraffic, restingScroll, watchRequests } from "../fixtures/observe.ts";
import { expect, test } from "../fixtures/test.ts";
import { HomePage } from "../pages/home.ts";

/** All calls but that for the advertisement before a video, which belongs to no screen. */
const CALLS = /^\/api\/(?!adinfo\/PLAYBEFORE)/;
const INITIALS = "ABCDEFGHIJKLMNOPQRST";

test("/find opens the rank at first, then the tab of the last visit", async ({ page, finger }) => {
  const home = new HomePage(page);
  await page.goto("/find");
  await expect(page).toHaveURL(/\/find\/rank$/);
  const tabs = page.getByRole("navigation", { name: "发现" }).getByRole("link");
  await expect(tabs).toHaveText(["女优", "排行", "分类"]);
  await finger.press(tabs.filter({ hasText: "分类" }));
  await expect(page).toHaveURL(/\/find\/tags$/);
  await finger.press(home.tab("首页"));
  await expect(page).toHaveURL(/\/home$/);
  await finger.press(home.tab("发现"));
  await expect(page).toHaveURL(/\/find\/tags$/);
  await page.goto("/find");
  await expect(page).toHaveURL(/\/find\/tags$/);
});

test("its tabs are kept as they were left, and turned by a swipe", async ({
  page,
  context,
  finger,
}) => {
  const trafficIsOver = followTraffic(page);
  await page.goto("/find/rank");
  await expect(page.locator(".rank-row").first()).toBeVisible();
  await finger.drag({ x: 195, y: 700 }, { x: 195, y: 300 });
  const scroll = await restingScroll(page);
  expect(scroll).toBeGreaterThan(0);
  await finger.drag({ x: 340, y: 500 }, { x: 60, y: 500 });
  await expect(page).toHaveURL(/\/find\/tags$/);
  await expect(page.getByRole("heading", { name: "标签" })).toBeVisible();
  expect(await restingScroll(page)).toBe(0);
  await trafficIsOver();
  const requests = watchRequests(context, CALLS);
  await finger.drag({ x: 60, y: 500 }, { x: 340, y: 500 });
  await expect(page).toHaveURL(/\/find\/rank$/);
  expect(await restingScroll(page)).toBe(scroll);
  expect(requests).toEqual([]);
});

test("many artists have a field and letters; each leads to the artist's page", async ({
  page,
  finger,
}) => {
  await page.route("**/api/artist", async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    const [artist] = json.rescont;
    const rescont = Array.from(INITIALS, (initial, index) => ({
      ...artist,
      id: index + 1,
      initial,
      name: `${initial}之第${index + 1}位`,
    }));
    await route.fulfill({ response, json: { ...json, rescont } });
  });
  await page.goto("/find/artist");
  const cards = page.locator("a.artist-card");
  await expect(cards).toHaveCount(INITIALS.length);
  await finger.press(
    page.getByRole("navigation", { name: "按首字母跳转" }).getByRole("button", { name: "T" }),
  );
  await expect(cards.last()).toBeInViewport();
  await page.evaluate(() => window.scrollTo(0, 0));
  const field = page.getByRole("searchbox", { name: "查找女优" });
  await field.fill("第1位");
  await expect(cards).toHaveText([/A之第1位/]);
  await field.fill("没有这个人");
  await expect(page.getByText("没有找到“没有这个人”")).toBeVisible();
  await field.fill("a");
  await finger.press(cards.first());
  await expect(page).toHaveURL(/\/artist-details\?id=1$/);
});

test("an artist's page lists the artist's videos in two orders, and leads back", async ({
  page,
  finger,
}) => {
  await page.goto("/find/artist");
  await finger.press(page.getByRole("link", { name: "山野来信" }));
  await expect(page.getByRole("heading", { level: 1, name: "山野来信" })).toBeVisible();
  await expect(page.getByText("10 个视频").filter({ visible: true })).toBeVisible();
  const tiles = page.locator("a.tile:visible");
  await expect(tiles).toHaveCount(10);
  const asked = page.waitForRequest(/\/api\/artist\/1\?orderby=hot&page=1/);
  await finger.press(page.getByRole("button", { name: "最热" }));
  await asked;
  await expect(tiles.first()).toContainText("真实的蝴蝶停在花上");
  await finger.press(page.getByRole("button", { name: "返回" }));
  await expect(page).toHaveURL(/\/find\/artist$/);
});

test("tags lead to the list of a category and to a search for a label", async ({
  page,
  finger,
}) => {
  await page.goto("/find/tags");
  await finger.press(
    page.getByRole("region", { name: "分类" }).getByRole("link", { name: "旅行" }),
  );
  await expect(page).toHaveURL(/\/list\?typeId=1&orderby=new$/);
  await page.goBack();
  await finger.press(
    page.getByRole("region", { name: "标签" }).getByRole("link", { name: "海边" }),
  );
  await expect(page).toHaveURL(new RegExp(`/searchList\\?search=${encodeURIComponent("海边")}$`));
  await expect(page.locator("a.tile:visible").first()).toContainText("海边的一整个下午");
});

test("a tab of 发现 is found as it was left, without a request, and is one page view", async ({
  page,
  context,
  finger,
}) => {
  const trafficIsOver = followTraffic(page);
  const home = new HomePage(page);
  await page.goto("/find");
  await expect(page).toHaveURL(/\/find\/rank$/);
  await expect(page.locator(".rank-row").first()).toBeVisible();
  await finger.drag({ x: 195, y: 700 }, { x: 195, y: 200 });
  const scroll = await restingScroll(page);
  expect(scroll).toBeGreaterThan(0);
  await finger.press(home.tab("我的"));
  await expect(page).toHaveURL(/\/mine$/);
  await expect(page.getByText("本周更新").first()).toBeVisible();
  await trafficIsOver();
  const requests = watchRequests(context, CALLS);
  await finger.press(home.tab("发现"));
  await expect(page).toHaveURL(/\/find\/rank$/);
  await expect(page.locator(".rank-row").first()).toBeVisible();
  expect(await restingScroll(page)).toBe(scroll);
  expect(requests).toEqual([]);
});
