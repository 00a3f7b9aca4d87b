import { withoutBootData } from "../fixtures/boot.ts";
import { watchRequests } from "../fixtures/observe.ts";
import { expect, test } from "../fixtures/test.ts";
import { HomePage } from "../pages/home.ts";
import { VideoListPage } from "../pages/video-list.ts";

// The documents are rewritten on their way: a worker would answer with its own.
test.use({ serviceWorkers: "block" });

test("home shows the operator's topics; one leads to its videos under its own title", async ({
  page,
  context,
  finger,
}) => {
  const requests = watchRequests(context, /^\/api\/(topics|videotopic)/);
  await new HomePage(page).open();
  const block = page.getByRole("region", { name: "专题" });
  await expect(block.getByRole("link")).toHaveText([
    "100 个视频一百期合集从第一期看到第一百期。",
    "1 个视频只有一期",
  ]);
  expect(requests).toEqual([]);
  await finger.press(block.getByRole("link", { name: /一百期合集/ }));
  await expect(page).toHaveURL(/\/topic\?id=1$/);
  const list = new VideoListPage(page);
  await list.isDrawn();
  await expect(page.locator(".nav-bar:visible")).toContainText("一百期合集");
  await expect(page).toHaveTitle(/^一百期合集/);
  await expect(page.locator(".topic-lead")).toContainText("从第一期看到第一百期。");
  await expect(page.locator(".topic-lead")).toContainText("共 100 个视频");
  await expect(list.titleOf(0)).toContainText("第 1 期");
  await expect(list.titleOf(1)).toContainText("第 2 期");
  expect(requests).toContain("GET /api/videotopic/1?page=1");
  await finger.press(list.tiles.first());
  await expect(page).toHaveURL(/\/playVideo\?id=1000$/);
});

test("a banner leads to a topic inside the site, and carries no 广告", async ({ page, finger }) => {
  await withoutBootData(page);
  await page.route("**/api/adinfo/BANNER/1", async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    const [first] = json.rescont;
    const rescont = [
      { ...first, id: 9001, url: "/topic?id=2" },
      { ...first, id: 9002, url: "//example.com/" },
    ];
    await route.fulfill({ response, json: { ...json, rescont } });
  });
  await new HomePage(page).open();
  const slides = page.locator("a.slide");
  await expect(slides).toHaveCount(2);
  await expect(slides.first()).toHaveAttribute("href", "/topic?id=2");
  await expect(slides.first()).not.toHaveAttribute("target");
  await expect(slides.first().getByText("广告", { exact: true })).toHaveCount(0);
  // What could be read as another host is no address at all.
  await expect(slides.nth(1)).not.toHaveAttribute("href");
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await finger.press(slides.first());
  await expect(page).toHaveURL(/\/topic\?id=2$/);
  await expect(page.locator(".nav-bar:visible")).toContainText("只有一期");
  expect(await page.evaluate(() => "isSame" in window)).toBe(true);
});

test("a topic that is gone says so and leads home", async ({ page, finger, expected }) => {
  expected.allow(/status of 404/);
  await page.goto("/topic?id=999");
  await expect(page.getByText("专题不存在或已下架")).toBeVisible();
  await finger.press(page.getByRole("link", { name: "回到首页" }));
  await expect(page).toHaveURL(/\/home$/);
});
