import { layoutShifts, watchRequests } from "../fixtures/observe.ts";
import { expect, test } from "../fixtures/test.ts";
import { PlayerPage } from "../pages/player.ts";
import { VideoListPage } from "../pages/video-list.ts";

// A worker in control would answer in the network's place.
test.use({ serviceWorkers: "block" });

const CONTENT = /^\/api\/(videoplay|videomaylike|videosort|adinfo\/PLAY)/;

for (const query of ["", "&ad_show=no"]) {
  test(`the player's document brings its answers${query}`, async ({ page, context }) => {
    const asked = watchRequests(context, CONTENT);
    const player = new PlayerPage(page);
    // A slow phone: the steps that the page is drawn in lie apart.
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: 6 });
    await player.open(2, query);
    await expect(page.locator(".similar a").first()).toBeVisible();
    await player.plays();
    expect(asked).toEqual([]);
    expect(await layoutShifts(page)).toEqual([]);
  });
}

test("a list's document brings its first page", async ({ page, context }) => {
  const asked = watchRequests(context, /^\/api\/videosort/);
  const list = new VideoListPage(page);
  await list.open();
  expect(asked).toEqual([]);
  expect(await layoutShifts(page)).toEqual([]);
});

test("a document that the browser kept is asked anew when the visitor turns back", async ({
  page,
  context,
}) => {
  const list = new VideoListPage(page);
  await list.open();
  await page.goto("/mine");
  const asked = watchRequests(context, CONTENT);
  await page.goBack();
  await list.isDrawn();
  expect(asked.toSorted()).toEqual([
    "GET /api/videosort",
    "GET /api/videosort/0?orderby=new&page=1",
  ]);
});

test("the first paint waits for the document alone, and the poster comes before the code", async ({
  page,
}) => {
  // Never answered: nothing but the document and its picture comes.
  await page.route(/\/assets\/|\/theme\.js/, () => new Promise(() => {}));
  await page.goto("/playVideo?id=2", { waitUntil: "commit" });
  await expect(page.getByRole("status", { name: "加载中" })).toBeVisible();
  const painted = () =>
    page.evaluate(() => performance.getEntriesByName("first-contentful-paint").length);
  await expect.poll(painted).toBe(1);
  const early = page.locator("#first-picture");
  await expect
    .poll(() => early.evaluate((picture: HTMLImageElement) => picture.naturalWidth))
    .toBeGreaterThan(0);
  const box = await early.boundingBox();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.reload();
  const player = new PlayerPage(page);
  await player.plays();
  await expect(early).toHaveCount(0);
  expect(await player.player.boundingBox()).toEqual(box);
});

for (const [name, address, own] of [
  ["home's first banner", "/home", ".slide img"],
  ["a list's first cover", "/list?typeId=0&orderby=new", ".chunk .cover img"],
] as const) {
  test(`${name} comes before the code, and stays where it is`, async ({ page }) => {
    await page.route(/\/assets\/|\/enc\//, () => new Promise(() => {}));
    await page.goto(address, { waitUntil: "commit" });
    const early = page.locator("#first-picture");
    await expect
      .poll(() => early.evaluate((picture: HTMLImageElement) => picture.naturalWidth))
      .toBeGreaterThan(0);
    const box = await early.boundingBox();
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.reload();
    const drawn = page.locator(own).first();
    await expect(drawn).toHaveClass(/is-drawn/);
    await expect(early).toHaveCount(0);
    expect(await drawn.boundingBox()).toEqual(box);
    expect(await layoutShifts(page)).toEqual([]);
  });
}

test("a list shows its boxes until it can be drawn, and never the emblem", async ({ page }) => {
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (document.querySelector(".waiting")) sessionStorage.setItem("emblem", "seen");
    }).observe(document, { childList: true, subtree: true });
  });
  await page.route(/\/assets\/list-screen.*\.js/, async (route) => {
    await expect(page.getByRole("status", { name: "正在加载" })).toBeVisible();
    await route.continue();
  });
  const list = new VideoListPage(page);
  await list.open();
  expect(await page.evaluate(() => sessionStorage.getItem("emblem"))).toBeNull();
});

test("a list whose code does not come says so", async ({ page, expected }) => {
  expected.allow(/list-screen|Failed to (load|fetch)|importing a module|dynamically imported/i);
  await page.route(/\/assets\/list-screen.*\.js/, (route) => route.abort());
  await page.goto("/list?typeId=0&orderby=new");
  await expect(page.getByRole("alert")).toContainText("页面没有加载出来");
});

test("a first picture that a browser kept is not drawn when the visitor turns back", async ({
  page,
}) => {
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (document.getElementById("first-picture")) sessionStorage.setItem("drawn", location.href);
    }).observe(document, { childList: true, subtree: true });
  });
  const list = new VideoListPage(page);
  await list.open();
  await page.goto("/mine");
  await page.evaluate(() => sessionStorage.clear());
  await page.goBack();
  await list.isDrawn();
  expect(await page.evaluate(() => sessionStorage.getItem("drawn"))).toBeNull();
});

test("a first picture that is damaged in the document is drawn by the application", async ({
  page,
}) => {
  await page.route(/\/home$/, async (route) => {
    const answer = await route.fetch();
    const text = (await answer.text()).replace(/"sealed":"[^"]{40}/, `"sealed":"${"A".repeat(40)}`);
    await route.fulfill({ response: answer, body: text });
  });
  await page.goto("/home");
  await expect(page.locator(".slide").first().locator("img")).toHaveClass(/is-drawn/);
  await expect(page.locator("#first-picture")).toHaveCount(0);
});
