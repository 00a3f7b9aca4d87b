import { expect, test } from "../fixtures/test.ts";
import { VideoListPage } from "../pages/video-list.ts";

// Without the service worker every encrypted image is opened on the page, where a test can change
// its bytes.
test.use({ serviceWorkers: "block" });

/** A spelling whose document holds neither answers nor a picture: all covers come by themselves. */
const LIST = "/list?orderby=new&typeId=0";

test("a picture that is on its way shows its colours, then itself", async ({ page }) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/enc/**", async (route) => {
    await released;
    await route.continue();
  });
  const list = new VideoListPage(page);
  await page.goto(LIST);
  await list.isDrawn();
  const cover = list.tiles.first().locator(".cover");
  await expect(cover.locator(".cover-thumb")).toHaveCSS("background-image", /url\(/);
  await expect(cover.locator("img")).toHaveCount(0);
  release();
  await expect(cover.locator("img.is-drawn")).toBeVisible();
  await expect(cover.locator(".cover-thumb")).toBeHidden();
  await expect(cover.locator(".cover-error")).toHaveCount(0);
});

test("a picture that cannot be opened shows the error picture in the same box", async ({
  page,
}) => {
  const list = new VideoListPage(page);
  await page.route("**/enc/**", async (route) => {
    const response = await route.fetch();
    const body = await response.body();
    body[body.length - 1] = (body.at(-1) ?? 0) ^ 1;
    await route.fulfill({ response, body });
  });
  await page.goto(LIST);
  await list.isDrawn();
  const cover = list.tiles.first().locator(".cover");
  await expect(cover.getByRole("img", { name: "图片无法显示" })).toBeVisible();
  await expect(cover.locator("img")).toHaveCount(0);
  const box = await cover.boundingBox();
  expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(360 / 203, 1);
});

for (const [name, path, ratio] of [
  ["lists", "/list?typeId=0&orderby=new", 360 / 203],
  ["search results", "/searchList?search=清单", 360 / 243],
] as const) {
  test(`covers of ${name} have their ratio before they are drawn`, async ({ page }) => {
    await page.route("**/enc/**", () => {});
    await page.goto(path);
    const box = await page.locator("a.tile:visible .cover").first().boundingBox();
    expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(ratio, 2);
  });
}

/** What a box should measure, by the class that says which it is (specification §9). */
const RATIOS = {
  "cover-block": 750 / 422,
  "cover-grid": 360 / 203,
  "cover-search": 360 / 243,
  "cover-ad": 2.3,
  slide: 2.3,
} as const;

for (const [name, width, height] of [
  ["a phone", 390, 844],
  ["a tablet", 800, 1100],
  ["a computer", 1440, 900],
] as const) {
  test(`every cover and advertisement keeps its ratio on ${name}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    for (const path of ["/home", "/mine", "/rank", "/playVideo?id=1", "/topic?id=1"]) {
      await page.goto(path);
      await expect(page.locator("[class*='cover-']").first()).toBeVisible();
      if (path === "/home")
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      const wrong = () =>
        page.evaluate(
          (ratios) =>
            Object.entries(ratios).flatMap(([kind, ratio]) =>
              Array.from(document.querySelectorAll(`.${kind}`)).flatMap((box) => {
                const { width: across, height: down } = box.getBoundingClientRect();
                // A pixel more or less is the browser's rounding.
                return across > 0 && Math.abs(across / ratio - down) > 1
                  ? [`${kind} ${across}x${down}`]
                  : [];
              }),
            ),
          RATIOS,
        );
      await expect.poll(wrong, path).toEqual([]);
    }
    await page.goto("/mine");
    const { right = 0, left = 0 } = await page
      .locator(".mine-body")
      .evaluate((body) => body.getBoundingClientRect().toJSON());
    // The common maximum, beside the rail.
    if (width >= 1024) expect(right - left).toBe(1200);
  });
}

test("list blocks have 750/422, advertisements 2.3", async ({ page, finger }) => {
  const list = new VideoListPage(page);
  await list.open();
  await finger.press(page.getByRole("button", { name: "切换为列表" }));
  const ad = await page.locator(".ad-tile .cover").first().boundingBox();
  expect((ad?.width ?? 0) / (ad?.height ?? 1)).toBeCloseTo(2.3, 2);
  const block = await list.blocks.first().locator(".cover").boundingBox();
  expect((block?.width ?? 0) / (block?.height ?? 1)).toBeCloseTo(750 / 422, 2);
});
