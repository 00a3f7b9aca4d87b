import { withoutAnswers } from "../fixtures/boot.ts";
import { CONTENT, followTraffic, watchRequests } from "../fixtures/observe.ts";
import { expect, test } from "../fixtures/test.ts";
import { VideoListPage } from "../pages/video-list.ts";

/** First pages of 全部 that were asked for. */
const FIRST_PAGES = /^\/api\/videosort\/0\?.*page=1$/;
const HOTTEST_BUT_ONE = "旅行清单第 1 期";

test("the order changes the list and the address", async ({ page, finger }) => {
  const list = new VideoListPage(page);
  await list.open();
  await expect(list.order("最新")).toHaveAttribute("aria-pressed", "true");
  await expect(list.titleOf(1)).toHaveText("海边的一整个下午");
  await finger.press(list.order("最热"));
  await expect(page).toHaveURL(/\/list\?typeId=0&orderby=hot$/);
  await expect(list.titleOf(1)).toContainText(HOTTEST_BUT_ONE);
  await expect(list.order("最热")).toHaveAttribute("aria-pressed", "true");
  await page.reload();
  await expect(list.titleOf(1)).toContainText(HOTTEST_BUT_ONE);
});

test("a list asks for nothing more than its document brought, until it is scrolled", async ({
  page,
  context,
  finger,
}) => {
  const list = new VideoListPage(page);
  const requests = watchRequests(context, /^\/api\/videosort\/0\?/);
  const trafficIsOver = followTraffic(page);
  await list.open();
  await trafficIsOver();
  expect(requests).toEqual([]);
  await list.scrollUntil(finger, async () => requests.length > 0);
  // The next page begins after the last video of the one before, whatever has been added meanwhile.
  const next = expect.stringMatching(/^GET \/api\/videosort\/0\?orderby=new&page=2&after=\d+_\d+$/);
  expect(requests).toEqual([next]);
});

test("the same order and the same category again ask for nothing", async ({
  page,
  context,
  finger,
}) => {
  const list = new VideoListPage(page);
  const trafficIsOver = followTraffic(page);
  await list.open();
  await trafficIsOver();
  const requests = watchRequests(context, FIRST_PAGES);
  await finger.press(list.order("最新"));
  await finger.press(list.categoryTab("全部"));
  // Another choice proves that presses arrive; it alone is asked for.
  await finger.press(list.order("最热"));
  await expect(list.titleOf(1)).toContainText(HOTTEST_BUT_ONE);
  expect(requests).toEqual(["GET /api/videosort/0?orderby=hot&page=1"]);
});

test("a category is chosen by a tap and by a swipe; the order stays", async ({ page, finger }) => {
  const list = new VideoListPage(page);
  await list.open(0, "hot");
  const swipeLeft = () => finger.drag({ x: 340, y: 500 }, { x: 60, y: 500 });
  const swipeRight = () => finger.drag({ x: 60, y: 500 }, { x: 340, y: 500 });
  const isChosen = async (name: string) => {
    await expect(list.categoryTab(name)).toHaveAttribute("aria-selected", "true");
    await expect(page.getByRole("heading", { level: 1, name, exact: true })).toBeVisible();
    await list.isDrawn();
  };
  await finger.press(list.categoryTab("美食"));
  await expect(page).toHaveURL(/typeId=\d+&orderby=hot$/);
  await isChosen("美食");
  await expect(list.titleOf(0)).toContainText("美食清单");
  await swipeLeft();
  await isChosen("音乐");
  await expect(list.titleOf(0)).toContainText("音乐清单");
  await swipeRight();
  await isChosen("美食");
  await swipeRight();
  await isChosen("旅行");
  await expect(page).toHaveURL(/typeId=\d+&orderby=hot$/);
});

test("a swipe past the first category leads nowhere", async ({ page, finger }) => {
  const list = new VideoListPage(page);
  const trafficIsOver = followTraffic(page);
  await list.open();
  await trafficIsOver();
  await finger.drag({ x: 60, y: 500 }, { x: 340, y: 500 });
  await finger.press(list.categoryTab("旅行"));
  await expect(page).toHaveURL(/typeId=1&orderby=new$/);
  await expect(list.titleOf(3)).toContainText("旅行清单");
  await finger.drag({ x: 60, y: 500 }, { x: 340, y: 500 });
  await expect(page).toHaveURL(/typeId=0&orderby=new$/);
});

test("the list layout has an advertisement above items 5, 10 and 15, in turn", async ({
  page,
  finger,
}) => {
  const list = new VideoListPage(page);
  await list.open();
  await expect(page.locator(".ad-tile:visible")).toHaveCount(0);
  await finger.press(page.getByRole("button", { name: "切换为列表" }));
  await expect(list.blocks.first()).toBeVisible();
  const answer = await page.request.get("/api/videosort/0?orderby=new&page=1");
  const videos: { title: string }[] = (await answer.json()).rescont.data;
  // Only what is near the window is drawn: they are collected while the list is scrolled.
  const found = new Map<string, string>();
  const look = async () => {
    const pairs = await page.locator(".ad-tile:visible").evaluateAll((ads) =>
      ads.map((ad) => {
        const title = (of: Element | null | undefined) =>
          of?.querySelector(".tile-title")?.textContent ?? "";
        return [title(ad.parentElement?.querySelector(".video-block")), title(ad)] as const;
      }),
    );
    for (const [video, ad] of pairs) found.set(video, ad);
    if (found.size < 3) await finger.drag({ x: 195, y: 600 }, { x: 195, y: 200 });
    return [...found].slice(0, 3);
  };
  await expect
    .poll(look)
    .toEqual(
      [5, 10, 15].map((place, index) => [
        videos[place - 1]?.title,
        `推广 LIST ${[5, 6, 5][index]}`,
      ]),
    );
  await finger.press(page.getByRole("button", { name: "切换为宫格" }));
  await expect(list.tiles.first()).toBeVisible();
  await expect(page.locator(".ad-tile:visible")).toHaveCount(0);
});

test("pulling the list down loads it again", async ({ page, context, finger }) => {
  const list = new VideoListPage(page);
  const trafficIsOver = followTraffic(page);
  await list.open();
  await trafficIsOver();
  const requests = watchRequests(context, CONTENT);
  await finger.drag({ x: 195, y: 300 }, { x: 195, y: 700 });
  await expect(list.message).toHaveText("刷新成功");
  await list.isDrawn();
  expect(requests).toContain("GET /api/videosort/0?orderby=new&page=1");
});

test("a pull that is too short changes nothing", async ({ page, context, finger }) => {
  const list = new VideoListPage(page);
  const trafficIsOver = followTraffic(page);
  await list.open();
  await trafficIsOver();
  const requests = watchRequests(context, FIRST_PAGES);
  await finger.drag({ x: 195, y: 300 }, { x: 195, y: 340 });
  await finger.press(list.order("最热"));
  await expect(list.titleOf(1)).toContainText(HOTTEST_BUT_ONE);
  expect(requests).toEqual(["GET /api/videosort/0?orderby=hot&page=1"]);
});

test("titles that begin with ★ are never shown, whatever the server sends", async ({ page }) => {
  const list = new VideoListPage(page);
  await withoutAnswers(page);
  await page.route("**/api/videosort/0?*page=1*", async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    expect(
      json.rescont.data.filter(({ title }: { title: string }) => title.startsWith("★")),
    ).toEqual([]);
    json.rescont.data[0].title = "★ 不公开的预告";
    json.rescont.data[1].title = "海边的 ★ 下午";
    await route.fulfill({ response, json });
  });
  await list.open(0, "hot");
  await expect(page.getByText("海边的 ★ 下午")).toBeVisible();
  await expect(page.getByText("★ 不公开的预告")).toHaveCount(0);
});

test("the bar names the category and leads back and to the search", async ({ page, finger }) => {
  const list = new VideoListPage(page);
  await page.goto("/home");
  await finger.press(
    page.getByRole("navigation", { name: "分类" }).getByRole("link", { name: "旅行" }),
  );
  await list.isDrawn();
  await expect(
    page.getByRole("heading", { level: 1, name: "旅行" }).filter({ visible: true }),
  ).toBeVisible();
  await finger.press(
    page.getByRole("link", { name: "搜索", exact: true }).filter({ visible: true }),
  );
  await expect(page).toHaveURL(/\/search$/);
  await page.goBack();
  await list.isDrawn();
  await finger.press(page.getByRole("button", { name: "返回" }).filter({ visible: true }));
  await expect(page).toHaveURL(/\/home$/);
});

for (const { device, width, most } of [
  { device: "phone", width: 390, most: 4 },
  { device: "tablet", width: 768, most: 7 },
]) {
  test(`up to ${most} tabs share the strip on a ${device}, one more makes it scroll`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    let count = most;
    await withoutAnswers(page);
    await page.route("**/api/videosort", async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      // 全部 is one of the tabs, and the client's own.
      await route.fulfill({
        response,
        json: { ...json, rescont: json.rescont.slice(0, count - 1) },
      });
    });
    const strip = page.getByRole("tablist", { name: "分类" });
    const widths = () =>
      strip
        .getByRole("tab")
        .evaluateAll((tabs) => tabs.map((tab) => (tab as HTMLElement).offsetWidth));
    await new VideoListPage(page).open();
    await expect(strip.getByRole("tab")).toHaveCount(most);
    await expect(strip).toHaveClass(/is-sharing/);
    const shared = await widths();
    expect(Math.max(...shared) - Math.min(...shared)).toBeLessThanOrEqual(1);
    count = most + 1;
    await page.reload();
    await expect(strip.getByRole("tab")).toHaveCount(most + 1);
    await expect(strip).not.toHaveClass(/is-sharing/);
  });
}
