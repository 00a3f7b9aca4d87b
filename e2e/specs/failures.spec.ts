import type { Route } from "@playwright/test";
import { withoutAnswers, withoutBootData } from "../fixtures/boot.ts";
import { expect, test } from "../fixtures/test.ts";
import { HomePage } from "../pages/home.ts";
import { VideoListPage } from "../pages/video-list.ts";

// The documents are rewritten on their way: a worker would answer with its own.
test.use({ serviceWorkers: "block" });

const FAILURES: readonly [string, (route: Route) => Promise<void>][] = [
  ["a broken connection", (route) => route.abort("connectionfailed")],
  [
    "an error of the server",
    (route) => route.fulfill({ status: 500, json: { rescont: null, code: 500, msg: "" } }),
  ],
];
const CAUSED = /Failed to load resource/;
const RETRY = "请求失败，点击我重新加载";

for (const [name, fail] of FAILURES) {
  test(`a list recovers from ${name} with one tap`, async ({ page, finger, expected }) => {
    expected.allow(CAUSED);
    const list = new VideoListPage(page);
    await withoutAnswers(page);
    await page.route("**/api/videosort/0?*", fail);
    await page.goto("/list?typeId=0&orderby=new");
    await expect(list.retry).toBeVisible();
    await expect(list.tiles).toHaveCount(0);
    await page.unroute("**/api/videosort/0?*");
    await finger.press(list.retry);
    await list.isDrawn();
    await expect(list.retry).toHaveCount(0);
  });

  test(`a further page recovers from ${name} with one tap`, async ({ page, finger, expected }) => {
    expected.allow(CAUSED);
    const list = new VideoListPage(page);
    await page.route("**/api/videosort/0?*page=2*", fail);
    await list.open();
    await list.scrollUntil(finger, () => list.retry.isVisible());
    await page.unroute("**/api/videosort/0?*page=2*");
    await finger.press(list.retry);
    // What came before stays, and what follows comes after it.
    await expect(page.getByText(/清单第 22 期/)).toBeAttached();
    await expect(page.getByText(/清单第 30 期/)).toBeAttached();
    await expect(list.retry).toHaveCount(0);
  });

  test(`home recovers from ${name} with one tap`, async ({ page, finger, expected }) => {
    expected.allow(CAUSED);
    await withoutBootData(page);
    await page.route("**/api/videoindex*", fail);
    const home = new HomePage(page);
    await page.goto("/home");
    const retry = page.getByRole("button", { name: RETRY });
    await expect(retry).toBeVisible();
    await page.unroute("**/api/videoindex*");
    await finger.press(retry);
    await home.isDrawn();
    await expect(home.tilesOf("旅行").first()).toBeVisible();
    await expect(retry).toHaveCount(0);
  });
}

test("home without boot data asks for its content", async ({ page }) => {
  await withoutBootData(page);
  const home = new HomePage(page);
  await home.open();
  await expect(home.tilesOf("旅行").first()).toBeVisible();
});

test("a list ends with 没有更多了", async ({ page, finger }) => {
  const list = new VideoListPage(page);
  const categories = (await (await page.request.get("/api/videosort")).json()).rescont;
  const food: { id: number } = categories.find(
    (category: { name: string }) => category.name === "美食",
  );
  await list.open(food.id);
  await list.scrollUntil(finger, () => list.end.isVisible());
  await expect(list.placeholders).toHaveCount(0);
});

test("a slow list shows placeholders, a slow further page too, and never nothing", async ({
  page,
  finger,
}) => {
  const list = new VideoListPage(page);
  const held: (() => void)[] = [];
  await withoutAnswers(page);
  await page.route("**/api/videosort/0?*", async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await page.goto("/list?typeId=0&orderby=new");
  await expect(list.placeholders).toBeVisible();
  await expect(list.placeholders.locator(".skeleton").first()).toBeInViewport();
  await expect.poll(() => held.length).toBe(1);
  held.pop()?.();
  await list.isDrawn();
  await list.scrollUntil(finger, async () => held.length > 0);
  await expect(list.placeholders).toBeVisible();
  held.pop()?.();
  await list.scrollUntil(finger, () => page.getByText(/清单第 30 期/).isVisible());
});

test("a slow home shows its boxes", async ({ page }) => {
  await withoutBootData(page);
  const held: (() => void)[] = [];
  await page.route("**/api/videoindex*", async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await page.goto("/home");
  await expect(page.locator(".home .skeleton").first()).toBeVisible();
  await expect.poll(() => held.length).toBe(1);
  held.pop()?.();
  await new HomePage(page).isDrawn();
});

test("what fails in the background is logged, and nothing is shown", async ({ page, expected }) => {
  expected.allow(CAUSED);
  const logged: string[] = [];
  page.on("console", (message) => message.type() === "warning" && logged.push(message.text()));
  await page.route(/\/api\/(sysnotice|videoshare|videoSearchHot|adinfo)/, (route) =>
    route.abort("connectionfailed"),
  );
  await new HomePage(page).open();
  await expect
    .poll(() => logged.filter((text) => text.includes("网络异常")).length)
    .toBeGreaterThan(0);
  await page.goto("/search");
  await expect
    .poll(() => logged.filter((text) => text.includes("网络异常")).length)
    .toBeGreaterThan(1);
  await expect(page.getByText("网络异常")).toHaveCount(0);
  await expect(page.locator(".message")).toHaveCount(0);
});
