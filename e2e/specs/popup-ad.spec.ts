import type { Page } from "@playwright/test";
import { watchRequests } from "../fixtures/observe.ts";
import { expect, test } from "../fixtures/test.ts";

// A route that answers in the server's place is not asked by a worker.
test.use({ serviceWorkers: "block" });

const CALL = "**/api/adinfo/EXPLODE/0";
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The slot has the advertisements of another one: the other tests' visitors are spared a pop-up.
 */
async function offerPopups(page: Page): Promise<void> {
  await page.route(CALL, async (route) => {
    const response = await route.fetch({
      url: new URL("/api/adinfo/LIST", route.request().url()).href,
    });
    await route.fulfill({ response });
  });
}

test("one opens by itself over home, once in 24 hours", async ({ page, context }) => {
  await offerPopups(page);
  const asked = watchRequests(context, /^\/api\/adinfo\/EXPLODE/);
  await page.clock.install();
  await page.goto("/home");
  await page.clock.runFor(5000);
  const popup = page.getByRole("complementary", { name: "广告" });
  await expect(popup).toBeVisible();
  await expect(popup.getByRole("link")).toHaveAttribute("rel", /noopener/);
  await popup.getByRole("button", { name: "关闭广告" }).click();
  await expect(popup).toBeHidden();

  await page.reload();
  await page.clock.runFor(5000);
  await page.clock.runFor(DAY_MS - 60_000);
  await expect(popup).toBeHidden();
  expect(asked).toEqual(["GET /api/adinfo/EXPLODE/0"]);

  await page.clock.runFor(60_000);
  await page.reload();
  await page.clock.runFor(5000);
  await expect(popup).toBeVisible();
});

test("it leaves the page usable, and goes when the visitor goes on", async ({ page, finger }) => {
  await offerPopups(page);
  await page.goto("/home");
  const popup = page.getByRole("complementary", { name: "广告" });
  await expect(popup).toBeVisible();
  await finger.press(page.getByRole("link", { name: "搜索视频" }));
  await expect(page).toHaveURL(/\/search$/);
  await expect(popup).toBeHidden();
});

test("it waits for home, and spares who is watching", async ({ page, finger }) => {
  await offerPopups(page);
  const popup = page.getByRole("complementary", { name: "广告" });
  const ready = page.waitForRequest("**/api/sysnotice*");
  await page.goto("/mine");
  await ready;
  await expect(popup).toBeHidden();
  await finger.press(page.getByRole("link", { name: "首页" }));
  await expect(popup).toBeVisible();
});
