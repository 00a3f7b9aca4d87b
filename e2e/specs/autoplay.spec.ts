import { expect, test } from "../fixtures/test.ts";
import { PlayerPage } from "../pages/player.ts";
import { ShortFeedPage } from "../pages/short-feed.ts";

// Headless browsers start everything, whatever their policy says: the rule that phones follow is
// laid on them here.
test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    // Not `navigator.userActivation`: a question of the test's own counts as a gesture there.
    let isTouched = false;
    addEventListener("touchend", (event) => (isTouched ||= event.isTrusted), { capture: true });
    const play = HTMLMediaElement.prototype.play;
    HTMLMediaElement.prototype.play = function playIfAllowed() {
      if (this.muted || isTouched) return play.call(this);
      return Promise.reject(new DOMException("no gesture", "NotAllowedError"));
    };
  });
});

test("a refusal to start by itself is logged, and one press plays", async ({ page, finger }) => {
  const logged: string[] = [];
  page.on("console", (message) => logged.push(message.text()));
  const player = new PlayerPage(page);
  await player.open(2);
  const play = player.player.getByRole("button", { name: "播放", exact: true });
  await expect(play).toBeVisible();
  // The button stands there while the player still asks, too.
  await expect.poll(() => logged.join("\n")).toContain("自动播放被浏览器拦截");
  await finger.press(play);
  await player.plays();
});

for (const size of [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]) {
  test(`a player opened by its address leads back before it plays, ${size.width} pixels wide`, async ({
    page,
  }) => {
    await page.setViewportSize(size);
    const player = new PlayerPage(page);
    await player.open(2, "&ad_show=no");
    await expect(
      player.player.getByRole("button", { name: "播放", exact: true }).first(),
    ).toBeVisible();
    await expect(player.back).toBeVisible();
    await player.back.click();
    await expect(page).toHaveURL("/home");
  });
}

test("a player whose video has not begun leads back", async ({ page }) => {
  let release = () => {};
  const isDue = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/*.{m3u8,m4s,mp4,ts}*", async (route) => {
    await isDue;
    await route.abort();
  });
  const player = new PlayerPage(page);
  await player.open(2, "&ad_show=no");
  // The engine is there and waits for its first segment.
  await expect(player.video).toHaveCount(1);
  await expect(player.back).toBeVisible();
  await player.back.click();
  await expect(page).toHaveURL("/home");
  release();
});

test("the short feed starts without sound where the browser demands it, and one tap brings it for every clip", async ({
  page,
  finger,
}) => {
  const feed = new ShortFeedPage(page);
  await feed.open();
  const muted = () => page.$$eval("video", (all) => all.map((one) => one.muted));
  // A page opened by its address has seen no gesture.
  await expect(page.getByText("轻点打开声音")).toBeVisible();
  await feed.onlyActivePlays();
  expect(await muted()).toEqual([true, true, true]);
  await finger.press(feed.surface);
  await expect.poll(muted).toEqual([false, false, false]);
  await feed.onlyActivePlays();
  await feed.swipe(finger, "on");
  expect(await muted()).toEqual([false, false, false]);

  await finger.press(page.getByRole("button", { name: "关闭声音" }));
  expect(await muted()).toEqual([true, true, true]);
  await page.reload();
  await expect(feed.active).toBeVisible();
  await feed.onlyActivePlays();
  expect(await muted()).toEqual([true, true, true]);
  await expect(page.getByText("轻点打开声音")).toHaveCount(0);
});
