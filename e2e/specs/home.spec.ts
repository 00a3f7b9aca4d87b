import type { Page } from "@playwright/test";
import { withConfig, withoutBootData } from "../fixtures/boot.ts";
import { followTraffic, restingScroll, watchRequests } from "../fixtures/observe.ts";
import { expect, test } from "../fixtures/test.ts";
import { HomePage } from "../pages/home.ts";

// The documents are rewritten on their way: a worker would answer with its own.
test.use({ serviceWorkers: "block" });

/** Home asks for a list, and gets what a test makes of the true answer. */
async function changeAnswer(
  page: Page,
  address: string,
  change: (rescont: never) => unknown,
): Promise<void> {
  await page.route(address, async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    await route.fulfill({ response, json: { ...json, rescont: change(json.rescont as never) } });
  });
}

/** So many copies of a list's first entry, told apart by id and title. */
const copies = (count: number) => (list: readonly object[]) =>
  Array.from({ length: count }, (_, index) => ({
    ...list[0],
    id: 9000 + index,
    title: `第 ${index + 1} 张`,
  }));

/** How long a banner stands, in milliseconds (specification §9). */
const AUTOPLAY_MS = 4000;

test("the search bar leads to /search, and shrinks while home is scrolled", async ({
  page,
  finger,
}) => {
  const home = new HomePage(page);
  await home.open();
  const pill = page.getByRole("link", { name: "搜索视频" });
  expect((await pill.boundingBox())?.height).toBe(40);
  await finger.drag({ x: 195, y: 600 }, { x: 195, y: 400 });
  await expect.poll(async () => (await pill.boundingBox())?.height).toBe(36);
  // While the page still glides, a tap stops it and presses nothing.
  await restingScroll(page);
  await finger.press(pill);
  await expect(page).toHaveURL(/\/search$/);
});

test("a banner tag stores its id and loads its banners, and stays chosen", async ({
  page,
  context,
  finger,
}) => {
  const home = new HomePage(page);
  await home.open();
  const slide = page.locator(".slide-caption").first();
  await expect(slide).toContainText("推广 BANNER 0");
  const requests = watchRequests(context, /^\/api\/adinfo\/BANNER\//);
  const tag = page
    .getByRole("group", { name: "轮播图标签" })
    .getByRole("button", { name: "周末出逃" });
  await finger.press(tag);
  await expect(slide).toContainText("推广 BANNER 1");
  await expect(tag).toHaveAttribute("aria-pressed", "true");
  expect(requests).toEqual(["GET /api/adinfo/BANNER/2"]);
  expect(await page.evaluate(() => localStorage.getItem("bannerType"))).toBe("2");
  await page.reload();
  await expect(tag).toHaveAttribute("aria-pressed", "true");
  await expect(slide).toContainText("推广 BANNER 1");
});

test.describe("the carousel", () => {
  const place = (page: Page) =>
    page
      .locator(".carousel-dots > i")
      .evaluateAll((dots) => dots.findIndex((dot) => dot.className === "is-active"));
  const open = async (page: Page) => {
    await withoutBootData(page);
    await changeAnswer(page, "**/api/adinfo/BANNER/1", copies(3));
    await new HomePage(page).open();
    await expect(page.locator(".slide")).toHaveCount(3);
  };

  test("goes on by itself, and from the last to the first", async ({ page }) => {
    await page.clock.install();
    await open(page);
    for (const next of [1, 2, 0]) {
      await page.clock.fastForward(AUTOPLAY_MS);
      await expect.poll(() => place(page)).toBe(next);
    }
  });

  test("is moved by hand from the first touch on", async ({ page, finger }) => {
    await page.clock.install();
    await open(page);
    await finger.drag({ x: 320, y: 200 }, { x: 60, y: 200 });
    await expect.poll(() => place(page)).toBe(1);
    await page.clock.fastForward(2 * AUTOPLAY_MS);
    expect(await place(page)).toBe(1);
  });

  test("stands still where less motion is wanted", async ({ page }) => {
    await page.clock.install();
    await page.emulateMedia({ reducedMotion: "reduce" });
    await open(page);
    await page.clock.fastForward(2 * AUTOPLAY_MS);
    expect(await place(page)).toBe(0);
  });
});

test("an advertisement's opening is noted by its address, once in 24 h", async ({
  page,
  context,
  finger,
}) => {
  await context.route("https://example.com/**", (route) => route.fulfill({ body: "" }));
  await new HomePage(page).open();
  const noted = () =>
    page.evaluate(() => Number(localStorage.getItem("ad-tracking:https://example.com/")));
  const open = async () => {
    const opened = context.waitForEvent("page");
    await finger.press(page.locator("a.slide").first());
    const other = await opened;
    expect(await other.evaluate(() => window.opener)).toBeNull();
    await other.close();
  };
  await open();
  const first = await noted();
  expect(Math.abs(first - Date.now())).toBeLessThan(60_000);
  await open();
  expect(await noted()).toBe(first);
});

test("shows seven categories and 全部 once, whether the server sends it or not", async ({
  page,
  finger,
}) => {
  await withoutBootData(page);
  await changeAnswer(page, "**/api/videosort", (list: readonly object[]) => [
    { ...list[0], id: 0, type_id: 0, name: "全部", order: 0 },
    ...list,
  ]);
  const home = new HomePage(page);
  await home.open();
  await expect(home.categories.getByRole("link")).toHaveText(
    ["旅行", "美食", "音乐", "科技", "自然", "城市", "生活", "全部"].map(
      (name) => new RegExp(`${name}$`),
    ),
  );
  await finger.press(home.categories.getByRole("link", { name: "全部" }));
  await expect(page).toHaveURL(/\/list\?typeId=0&orderby=new$/);
});

test("换一批 goes through three batches of four, then through another pool", async ({
  page,
  context,
  finger,
}) => {
  const home = new HomePage(page);
  await home.open();
  const requests = watchRequests(context, /^\/api\/videorecommand/);
  const titles = () => home.recommendations.locator(".tile-title").allInnerTexts();
  const seen = [await titles()];
  for (let press = 0; press < 3; press += 1) {
    expect(requests).toEqual([]);
    await finger.press(page.getByRole("button", { name: "换一批" }));
    const last = seen.at(-1) ?? [];
    // Both at once: a batch on its way out or in has fewer.
    let batch: string[] = [];
    await expect(async () => {
      batch = await titles();
      expect(batch).toHaveLength(4);
      expect(batch.filter((title) => last.includes(title))).toEqual([]);
    }).toPass();
    seen.push(batch);
  }
  expect(seen.map((batch) => batch.length)).toEqual([4, 4, 4, 4]);
  expect(new Set(seen.slice(0, 3).flat()).size).toBe(12);
  expect(seen[3]).not.toEqual(seen[0]);
  expect(requests).toEqual(["GET /api/videorecommand?seed=1"]);
});

test("a pool that does not come leaves the batch, and says so", async ({
  page,
  finger,
  expected,
}) => {
  expected.allow(/Failed to load resource/);
  const home = new HomePage(page);
  await home.open();
  await page.route("**/api/videorecommand*", (route) => route.abort("connectionfailed"));
  for (let press = 0; press < 3; press += 1) {
    await finger.press(page.getByRole("button", { name: "换一批" }));
    await expect(home.recommendations.locator(".is-leaving")).toHaveCount(0);
  }
  await expect(page.locator(".message")).toHaveText("网络异常，请稍后重试");
  await expect(home.recommendations.locator("a.tile")).toHaveCount(4);
});

test("each block holds four videos, some an advertisement too; nothing stands twice", async ({
  page,
}) => {
  await new HomePage(page).open();
  const blocks = page.locator(".category-block");
  await expect(blocks).toHaveCount(9);
  for (const block of await blocks.all()) await expect(block.locator("a.tile")).toHaveCount(4);
  await expect(blocks.nth(1).locator(".ad-tile")).toHaveCount(1);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(page.getByRole("region", { name: "解锁专区" })).toBeVisible();
  const addresses = await page
    .locator("a.tile")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  expect(addresses.length).toBeGreaterThan(36);
  expect(new Set(addresses).size).toBe(addresses.length);
});

test("the code of what stands far below is loaded near it, and not with the topics", async ({
  page,
  context,
}) => {
  const loaded = watchRequests(context, /\/assets\/unlock-block-.+\.js$/);
  const trafficIsOver = followTraffic(page);
  await page.goto("/home");
  await expect(page.getByRole("region", { name: "专题" })).toBeAttached();
  await trafficIsOver();
  expect(loaded).toEqual([]);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(page.getByRole("region", { name: "解锁专区" })).toBeVisible();
  expect(loaded).toHaveLength(1);
});

test("the unlock block shows the four newest of type 73", async ({ page, context }) => {
  const requests = watchRequests(context, /^\/api\/videoshare/);
  await changeAnswer(page, "**/api/videoshare?*", (list: { data: readonly object[] }) => ({
    ...list,
    data: copies(6)(list.data),
  }));
  await new HomePage(page).open();
  await expect(page.locator(".category-block")).toHaveCount(9);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  const block = page.getByRole("region", { name: "解锁专区" });
  await expect(block.locator(".tile-title")).toHaveText([
    "第 1 张",
    "第 2 张",
    "第 3 张",
    "第 4 张",
  ]);
  await expect(block.getByRole("img", { name: "未解锁" })).toHaveCount(4);
  expect(requests).toEqual(["GET /api/videoshare?type=73&orderby=new&page=1"]);
});

test("with advertisements off there is none, no banner, no tag strip, and links to the player say so", async ({
  page,
  finger,
}) => {
  await withConfig(page, () => ({ isShowAd: false }));
  await new HomePage(page).open();
  await expect(page.locator(".category-block")).toHaveCount(9);
  await expect(page.getByRole("group", { name: "轮播图标签" })).toHaveCount(0);
  await expect(page.getByRole("region", { name: "轮播图" })).toHaveCount(0);
  await expect(page.getByText("广告", { exact: true })).toHaveCount(0);
  await page.goto("/list?typeId=0&orderby=new");
  await finger.press(page.getByRole("button", { name: "切换为列表" }));
  // An advertisement would stand above the fifth.
  await expect(page.locator("a.video-block").nth(5)).toBeAttached();
  await expect(page.locator(".ad-tile")).toHaveCount(0);
  await page.goto("/playLink?id=2");
  await expect(page).toHaveURL(/\/playVideo\?id=2&ad_show=no$/);
});

test.describe("on a wide screen", () => {
  test.use({ viewport: { width: 1440, height: 900 }, isMobile: false, hasTouch: false });

  test("where nothing is recommended yet the categories fill the place beside the banner", async ({
    page,
  }) => {
    await withoutBootData(page);
    await changeAnswer(page, "**/api/videorecommand*", (pool: object) => ({ ...pool, data: [] }));
    await page.goto("/home");
    await expect(page.locator(".category-block").first()).toBeVisible();
    const banner = (await page.getByRole("region", { name: "轮播图" }).boundingBox())!;
    const categories = (await new HomePage(page).categories.boundingBox())!;
    expect(categories.x).toBeGreaterThan(banner.x + banner.width);
    expect(categories.y).toBeCloseTo(banner.y, 0);
    expect(categories.height).toBeCloseTo(banner.height, 0);
    await expect(page.locator(".recommendations")).toHaveCount(0);
  });

  test("the head leads to the notices, whose dot goes when they are opened", async ({ page }) => {
    await new HomePage(page).open();
    await page.getByRole("link", { name: "公告，有新内容" }).click();
    await expect(page.getByRole("dialog", { name: "公告" })).toContainText("本周更新");
    await page.getByRole("button", { name: "关闭" }).click();
    await expect(page).toHaveURL(/\/home$/);
    await expect(page.getByRole("link", { name: "公告", exact: true })).toBeVisible();
  });
});

test("without notices the overlay says 暂无公告", async ({ page }) => {
  await page.route("**/api/sysnotice", (route) =>
    route.fulfill({ json: { rescont: { data: [] }, code: 200, msg: "" } }),
  );
  await page.goto("/mine?panel=notice");
  await expect(page.getByRole("dialog", { name: "公告" }).getByText("暂无公告")).toBeVisible();
});

test("a notice shows its picture above its text", async ({ page }) => {
  const [ad] = (await (await page.request.get("/api/adinfo/LIST")).json()).rescont;
  await changeAnswer(page, "**/api/sysnotice", ({ data }: { data: object[] }) => ({
    data: data.map((notice, place) => ({
      ...notice,
      ...(place === 0 ? { imgbase64: { ...ad.imgbase64, width: 1280, height: 557 } } : {}),
    })),
  }));
  await page.goto("/mine?panel=notice");
  const card = page.locator(".notice-card").first();
  const picture = card.locator(".notice-picture img");
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  const box = await card.locator(".notice-picture").boundingBox();
  expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(1280 / 557, 1);
  await expect(page.locator(".notice-picture")).toHaveCount(1);
});
