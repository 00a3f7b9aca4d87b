import type { Page, Route } from "@playwright/test";
import { withoutAnswers } from "../fixtures/boot.ts";
import { watchRequests } from "../fixtures/observe.ts";
import { expect, test } from "../fixtures/test.ts";
import { HomePage } from "../pages/home.ts";
import { PlayerPage } from "../pages/player.ts";

const TITLE = "真实的蝴蝶停在花上";
const VIDEO = 1;
const MEDIA = /^\/media\//;

/** The gate's advertisement, with a picture that the installation has. */
async function advertise(page: Page, image: Record<string, unknown> | null): Promise<void> {
  const answer = await page.request.get("/api/adinfo/PLAYINFO");
  const [ad] = (await answer.json()).rescont;
  const rescont = [{ ...ad, title: "片前推广", seconds: 2, imgbase64: image ?? ad.imgbase64 }];
  await withoutAnswers(page);
  await page.route("**/api/adinfo/PLAYBEFORE", (route: Route) =>
    route.fulfill({ json: { rescont, code: 200, msg: "ok" } }),
  );
}

test("a tap on home leads to a moving picture with sound", async ({ page, finger }) => {
  const home = new HomePage(page);
  const player = new PlayerPage(page);
  await home.open();
  const tile = home.tilesOf("旅行").first();
  await expect(tile).toContainText(TITLE);
  await finger.press(tile);

  await expect(page).toHaveURL(new RegExp(`/playVideo\\?id=${VIDEO}$`));
  await expect(page.getByRole("heading", { name: TITLE })).toBeVisible();
  await player.plays();
  const { width, height } = await player.playback();
  expect(width / height).toBeCloseTo(16 / 9, 2);
  await expect(player.gate).toHaveCount(0);
});

test("what lies in front of the visitor begins without the network", async ({ page, finger }) => {
  const home = new HomePage(page);
  const first = page.waitForResponse(/\/360\/[0-9a-f]{6}\.mp4$/);
  const gate = page.waitForResponse("**/api/adinfo/PLAYBEFORE");
  await home.open();
  const tile = home.tilesOf("旅行").first();
  await tile.scrollIntoViewIfNeeded();
  await Promise.all([first, gate].map(async (answer) => (await answer).finished()));
  // From here on nothing is answered.
  await page.route(/\/(media|api)\//, () => new Promise(() => {}));
  await finger.press(tile);
  const player = new PlayerPage(page);
  await player.presentedFrames(1);
  expect((await player.playback()).height).toBe(360);
  await expect(page.getByRole("heading", { name: TITLE })).toBeVisible();
  await expect(page.locator(".player-curtain")).toHaveCount(0);
});

test("the page of a video plays after a reload as well", async ({ page }) => {
  const player = new PlayerPage(page);
  await player.open(VIDEO);
  await player.plays();
  await page.reload();
  await player.plays();
});

test("a locked video asks for no media and refuses to play", async ({ page, context, finger }) => {
  const requests = watchRequests(context, MEDIA);
  const player = new PlayerPage(page);
  const answer = await (
    await page.request.get("/api/videoshare?type=73&orderby=new&page=1")
  ).json();
  const [locked] = answer.rescont.data;
  expect(locked.title).toBe("分享后才能看的夜景");
  await player.open(locked.id);
  await finger.press(page.getByRole("button", { name: "播放（未解锁）" }));
  await expect(page.locator(".message")).toHaveText("不合法播放!");
  await expect(player.video).toHaveCount(0);
  expect(requests).toEqual([]);
});

test.describe("the advertisement before a video", () => {
  test("hides the player, counts down, and gives way when it is closed", async ({
    page,
    finger,
  }) => {
    await advertise(page, null);
    const home = new HomePage(page);
    const player = new PlayerPage(page);
    await home.open();
    await finger.press(home.tilesOf("旅行").first());
    await expect(player.gate).toContainText("秒后可关闭");
    await expect(player.video).toBeHidden();
    const close = player.gate.getByRole("button", { name: "关闭广告" });
    await expect(close).toBeVisible();
    expect((await player.playback()).time).toBe(0);
    await finger.press(close);
    await expect(player.gate).toHaveCount(0);
    await player.plays();
  });

  test("fails open when its picture cannot be shown", async ({ page, finger, expected }) => {
    expected.allow(/404/);
    await advertise(page, {
      url: "/enc/absent.bin",
      type: "image/avif;kid=1",
      jpeg: "/enc/absent.bin",
      thumb: "",
    });
    const home = new HomePage(page);
    const player = new PlayerPage(page);
    await home.open();
    await finger.press(home.tilesOf("旅行").first());
    await player.plays();
    await expect(player.gate).toHaveCount(0);
  });

  test("is spared with ad_show=no", async ({ page, context }) => {
    await advertise(page, null);
    const asked = watchRequests(context, /^\/api\/adinfo\/PLAYBEFORE$/);
    const player = new PlayerPage(page);
    await player.open(VIDEO, "&ad_show=no");
    await player.plays();
    expect(asked).toEqual([]);
    await expect(player.gate).toHaveCount(0);
  });
});

test("the video that was opened last is noted for the session", async ({ page }) => {
  const noted = () => page.evaluate(() => sessionStorage.getItem("videoId"));
  for (const id of [2, 1]) {
    await new PlayerPage(page).open(id, "&ad_show=no");
    await expect.poll(noted).toBe(String(id));
  }
});
