import { expect, test } from "../fixtures/test.ts";
import { PlayerPage } from "../pages/player.ts";

test("without a network the site opens, and the history is readable with its pictures", async ({
  page,
  context,
  expected,
}) => {
  const player = new PlayerPage(page);
  await player.open(2, "&ad_show=no");
  await player.plays();
  // The worker installs itself in its own time; from `ready` on it has all it needs.
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.goto("/collectVideo?type=history");
  const picture = page.locator(".collect-tile img").first();
  const pictureWidth = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
  // It has its box before it is there.
  await expect.poll(pictureWidth).toBeGreaterThan(0);

  await context.setOffline(true);
  // What the page asks of the server fails, and is logged; that is what this test is about.
  expected.allow(/ERR_INTERNET_DISCONNECTED/);
  // Home's pictures were never seen on this device.
  expected.allow(/ERR_FAILED \(.*\/enc\//);
  await page.goto("/collectVideo?type=history");
  await expect(page.locator(".collect-tile .tile-title").first()).toHaveText("海边的一整个下午");
  await expect.poll(pictureWidth).toBeGreaterThan(0);
  await page.goto("/home");
  await expect(page.getByRole("heading", { level: 1 })).toBeAttached();
  await expect(page.locator("a.tile").first()).toBeVisible();
  await page.goto("/mine");
  await expect(page.locator(".tab-bar")).toBeVisible();
});

test("no other address takes the place of the screens' document", async ({
  page,
  context,
  expected,
}) => {
  await page.goto("/mine");
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload(); // from here on the worker answers
  for (const address of ["/robots.txt", "/api/config", "/manifest.webmanifest"])
    await page.goto(address);
  await context.setOffline(true);
  // Offline calls fail; the bare files name no icon, and the browser asks for one.
  expected.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|favicon\.ico/);
  await page.goto("/mine");
  await expect(page.locator(".tab-bar")).toBeVisible();
});
