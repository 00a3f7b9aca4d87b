import { layoutShifts, watchRequests } from "../fixtures/observe.ts";
import { expect, test } from "../fixtures/test.ts";
import { PlayerPage } from "../pages/player.ts";
import { VideoListPage } from "../pages/video-list.ts";

// A worker in control would answer in the network's place.
test.use({ serviceWorkers: "block" });

test("the player's document asks for its answers, and the code takes them over", async ({ page, context }) => {
  const asked = watchRequests(context, /^\/api\/(videoplay|videomaylike|adinfo\/PLAY)/);
  // What is asked for before the code has come can only come from the document.
  await page.route("**/assets/*.js", async (route) => {
    await expect.poll(() => asked.length).toBe(4);
    await route.continue();
  });
  const player = new PlayerPage(page);
  await player.open(2);
  await expect(page.locator(".similar a").first()).toBeVisible();
  expect(asked.toSorted()).toEqual([
    "GET /api/adinfo/PLAYBEFORE",
    "GET /api/adinfo/PLAYINFO",
    "GET /api/videomaylike?id=2&page=1",
    "GET /api/videoplay/2?uuid=1",
  ]);
  expect(await layoutShifts(page)).toEqual([]);
});

test("a list's document asks for its first page", async ({ page, context }) => {
  const asked = watchRequests(context, /^\/api\/videosort/);
  await page.route("**/assets/*.js", async (route) => {
    await expect.poll(() => asked.length).toBe(2);
    await route.continue();
  });
  const list = new VideoListPage(page);
  await list.open();
  await expect(list.tiles.first()).toBeVisible();
  expect(asked.toSorted()).toEqual(["GET /api/videosort", "GET /api/videosort/0?orderby=new&page=1"]);
  expect(await layoutShifts(page)).toEqual([]);
});

test("who is spared advertisements asks for none", async ({ page, context }) => {
  const asked = watchRequests(context, /^\/api\/adinfo\/PLAY/);
  await page.goto("/playVideo?id=2&ad_show=no");
  await expect(page.locator(".similar a").first()).toBeVisible();
  expect(asked).toEqual([]);
});
