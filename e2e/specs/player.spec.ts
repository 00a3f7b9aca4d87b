import type { Page } from "@playwright/test";
import { withoutAnswers } from "../fixtures/boot.ts";
import { expect, test } from "../fixtures/test.ts";
import { vividShare } from "../pages/pixels.ts";
import { PlayerPage } from "../pages/player.ts";

// The longer of the two clips: it must not end while a slow machine looks at it.
const VIDEO = 2;
const SUBTITLES = "WEBVTT\n\n00:00.000 --> 00:12.000\n蝴蝶停在花上\n";

/** Lets the server name more about a video than the installation has. */
async function add(page: Page, part: Record<string, unknown>, id = VIDEO): Promise<void> {
  await withoutAnswers(page);
  await page.route(`**/api/videoplay/${id}?*`, async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, rescont: { ...answer.rescont, ...part } } });
  });
}

/** An open player whose picture moves; its hint has been seen. */
async function playing(page: Page, id = VIDEO): Promise<PlayerPage> {
  await page.addInitScript(() => localStorage.setItem("seek-hint-shown", "1"));
  const player = new PlayerPage(page);
  await player.open(id);
  await player.plays();
  return player;
}

test.describe("the advertisement before a video", () => {
  test.beforeEach(async ({ page }) => {
    const answer = await page.request.get("/api/adinfo/PLAYINFO");
    const [ad] = (await answer.json()).rescont;
    const rescont = [{ ...ad, title: "片前推广", seconds: 8 }];
    await withoutAnswers(page);
    await page.route("**/api/adinfo/PLAYBEFORE", (route) =>
      route.fulfill({ json: { rescont, code: 200, msg: "ok" } }),
    );
  });

  test("ends the player when something plays beneath it", async ({ page }) => {
    const player = new PlayerPage(page);
    await player.open(VIDEO);
    await expect(player.gate).toContainText("秒后可关闭");
    await expect(player.video).toHaveCount(1);
    await expect(player.video).toBeHidden();
    await player.video.evaluate((video: HTMLVideoElement) => {
      video.muted = true;
      return video.play().catch(() => {});
    });
    await expect(page.locator(".message")).toHaveText("请尝试更换浏览器后再观看!!!");
    await expect(player.video).toHaveCount(0);
    await expect(player.gate).toHaveCount(0);
    await expect(player.player.getByRole("alert")).toHaveText("请尝试更换浏览器后再观看!!!");
    await expect(player.player.getByRole("button", { name: "复制链接" })).toBeVisible();
  });

  test("lets the visitor go back while it counts", async ({ page, finger }) => {
    await page.goto("/home");
    await finger.press(page.locator('a.tile[href^="/playVideo?"]').first());
    const player = new PlayerPage(page);
    await expect(player.gate).toContainText("秒后可关闭");
    await finger.press(player.gate.getByRole("button", { name: "返回" }));
    await expect(page).toHaveURL(/\/home$/);
  });

  test("cannot be closed while it counts", async ({ page }) => {
    const player = new PlayerPage(page);
    await player.open(VIDEO);
    await expect(player.gate).toContainText("秒后可关闭");
    await expect(player.gate.getByRole("button", { name: "关闭广告" })).toHaveCount(0);
    const seconds = async () =>
      Number.parseInt(await player.gate.locator(".ad-seconds").innerText(), 10);
    const first = await seconds();
    await expect.poll(seconds).toBeLessThan(first);
  });
});

test.describe("around the picture", () => {
  test("an advertisement, labels that lead to a search, and similar videos", async ({
    page,
    finger,
  }) => {
    const player = await playing(page);
    const ad = page.locator("a.page-ad");
    await expect(ad).toContainText("广告");
    await expect(ad).toHaveAttribute("rel", "sponsored noopener noreferrer");
    const similar = page.getByRole("region", { name: "相似视频" }).locator("a.video-row");
    await expect(similar.first()).toBeVisible();
    await finger.press(
      page.getByRole("list", { name: "标签" }).getByRole("link", { name: "慢旅行" }),
    );
    await expect(page).toHaveURL(/\/searchList\?search=%E6%85%A2%E6%97%85%E8%A1%8C$/);
    await expect(player.video).toHaveCount(0);
  });

  test("programmes that take videos over are warned of, with the link to copy", async ({
    browser,
    baseURL,
  }) => {
    const userAgent =
      "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/116.0 Mobile MicroMessenger/8.0.48";
    const context = await browser.newContext({
      userAgent,
      viewport: { width: 390, height: 844 },
      baseURL: baseURL ?? "",
    });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const page = await context.newPage();
    await page.goto(`/playVideo?id=${VIDEO}`);
    const advice = page.getByRole("complementary", { name: "播放提示" });
    await expect(advice).toContainText("微信");
    await advice.getByRole("button", { name: "复制链接" }).click();
    await expect(page.locator(".message")).toHaveText("已复制链接");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
    await advice.getByRole("button", { name: "关闭提示" }).click();
    await expect(advice).toHaveCount(0);
    await context.close();
  });

  test("other browsers are not", async ({ page }) => {
    await playing(page);
    await expect(page.getByRole("complementary", { name: "播放提示" })).toHaveCount(0);
  });
});

test.describe("the player", () => {
  test("tells once how to seek, for five seconds", async ({ page }) => {
    await page.clock.install();
    const player = new PlayerPage(page);
    await player.open(VIDEO);
    const hint = player.player.getByText("双击画面左右两侧，快退或快进 10 秒");
    await expect(hint).toBeVisible();
    await page.clock.fastForward(3500);
    await expect(hint).toBeVisible();
    await page.clock.fastForward(1500);
    await expect(hint).toHaveCount(0);
    expect(await page.evaluate(() => localStorage.getItem("seek-hint-shown"))).toBe("1");
    await page.reload();
    await player.plays();
    await expect(hint).toHaveCount(0);
  });

  test("seeks ten seconds at two taps, and ten more at each further one", async ({
    page,
    finger,
  }) => {
    const player = await playing(page);
    await player.video.evaluate((video: HTMLVideoElement) => video.pause());
    const box = await player.player.boundingBox();
    if (!box) throw new Error("no player");
    const y = box.y + box.height / 2;
    const words = player.player.locator(".seek-words");
    await player.video.evaluate((video: HTMLVideoElement) => (video.currentTime = 0.5));
    await finger.tap(box.width * 0.9, y, 2);
    await expect(words).toHaveText("快进 10 秒");
    await expect.poll(async () => (await player.playback()).time).toBeCloseTo(10.5, 0);
    await expect(words).toHaveCount(0);
    await finger.tap(box.width * 0.1, y, 3);
    await expect(words).toHaveText("快退 20 秒");
    await expect.poll(async () => (await player.playback()).time).toBe(0);
  });

  test("plays at 2x while a finger rests, and as before afterwards", async ({ page }) => {
    const player = await playing(page);
    const session = await page.context().newCDPSession(page);
    const rate = () => player.video.evaluate((video: HTMLVideoElement) => video.playbackRate);
    await session.send("Input.dispatchTouchEvent", {
      type: "touchStart",
      touchPoints: [{ x: 195, y: 110 }],
    });
    await expect.poll(rate).toBe(2);
    await expect(player.player.getByText("2x 播放中")).toBeVisible();
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await expect.poll(rate).toBe(1);
  });

  test("offers the rates 1, 1.5, 2 and 3 and the qualities by height, and keeps the choice", async ({
    page,
    finger,
  }) => {
    const player = await playing(page);
    await player.pressControl(finger, "播放设置");
    const sheet = page.getByRole("dialog", { name: "播放设置" });
    await expect(sheet.getByRole("group", { name: "倍速" }).getByRole("button")).toHaveText([
      "1x",
      "1.5x",
      "2x",
      "3x",
    ]);
    const qualities = sheet.getByRole("group", { name: "画质" }).getByRole("button");
    await expect(qualities).toHaveText([/^自动/, /^720P/, /^540P/, /^360P/]);
    await finger.press(sheet.getByRole("button", { name: "1.5x" }));
    await expect(sheet).toHaveCount(0);
    expect(await player.video.evaluate((video: HTMLVideoElement) => video.playbackRate)).toBe(1.5);
    await page.reload();
    await player.plays();
    expect(await player.video.evaluate((video: HTMLVideoElement) => video.playbackRate)).toBe(1.5);

    await player.pressControl(finger, /^清晰度，当前 \d+P$/);
    await finger.press(sheet.getByRole("button", { name: /^720P/ }));
    await expect.poll(async () => (await player.playback()).height, { timeout: 15_000 }).toBe(720);
  });

  test("shows the storyboard's picture under the finger that drags", async ({ page, finger }) => {
    const player = await playing(page);
    const session = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", x?: number, y?: number) =>
      session.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: x === undefined || y === undefined ? [] : [{ x, y }],
      });
    await player.showControls(finger);
    const slider = player.player.getByRole("slider", { name: "播放进度" });
    // The controls come in by moving: where the bar stands counts when it stands still.
    await slider.click({ trial: true });
    const bar = await slider.boundingBox();
    if (!bar) throw new Error("no bar");
    const y = bar.y + bar.height / 2;
    // The browser's resource timing leaves a picture of a style out now and then, though it was
    // fetched and is drawn.
    const sheet = page.waitForResponse(
      (answer) => /\/storyboard\/0\.jpg$/.test(answer.url()) && answer.ok(),
    );
    const position = () =>
      page
        .locator(".seek-preview > i")
        .evaluate((part) => getComputedStyle(part).backgroundPosition);
    await touch("touchStart", bar.x + bar.width * 0.2, y);
    await expect.poll(position).toBe("-200px 0px");
    await touch("touchMove", bar.x + bar.width * 0.8, y);
    await expect.poll(position).toBe("-800px 0px");
    // It is fetched when the finger first asks for it, beside the film.
    expect(await (await sheet).finished()).toBeNull();
    await expect.poll(() => vividShare(page, page.locator(".seek-preview"))).toBeGreaterThan(0.3);
    await expect(page.locator(".seek-bubble")).toContainText("00:09");
    const bubble = await page.locator(".seek-preview").boundingBox();
    expect([bubble?.width, bubble?.height].map((size) => Math.round(size ?? 0))).toEqual([160, 90]);
    await touch("touchEnd");
    await expect(page.locator(".seek-bubble")).toHaveCount(0);
    await expect.poll(async () => (await player.playback()).time).toBeGreaterThan(9);
  });

  test("shows the subtitles that were chosen, natively, and keeps the language", async ({
    page,
    finger,
  }) => {
    await add(page, {
      subtitles: [
        { lang: "zh-Hans", label: "简体中文", url: "/words/zh.vtt" },
        { lang: "en", label: "English", url: "/words/en.vtt" },
      ],
    });
    await page.route("**/words/*.vtt", (route) =>
      route.fulfill({ contentType: "text/vtt", body: SUBTITLES }),
    );
    const player = await playing(page);
    const shown = () =>
      player.video.evaluate((video: HTMLVideoElement) =>
        [...video.textTracks]
          .filter(({ mode }) => mode === "showing")
          .flatMap(({ activeCues }) => [...(activeCues ?? [])].map((cue) => (cue as VTTCue).text)),
      );
    expect(await shown()).toEqual([]);
    const sheet = page.getByRole("dialog", { name: "播放设置" });
    const choose = async (name: string) => {
      await player.pressControl(finger, "播放设置");
      await finger.press(sheet.getByRole("group", { name: "字幕" }).getByRole("button", { name }));
      await expect(sheet).toHaveCount(0);
    };
    await choose("简体中文");
    await expect.poll(shown).toEqual(["蝴蝶停在花上"]);
    // The words stand above the controls, and come down with them.
    const line = () =>
      player.video.evaluate(
        (video: HTMLVideoElement) => (video.textTracks[0]?.cues?.[0] as VTTCue).line,
      );
    await expect.poll(line).toBe(-2);
    await player.showControls(finger);
    await expect.poll(line).toBe(-5);
    await page.reload();
    await player.plays();
    await expect.poll(shown).toEqual(["蝴蝶停在花上"]);
    await choose("关闭");
    await expect.poll(shown).toEqual([]);
  });

  test("resumes where it was left", async ({ page }) => {
    const player = await playing(page);
    await player.video.evaluate((video: HTMLVideoElement) => {
      video.currentTime = 7;
      video.pause();
    });
    await expect
      .poll(async () => page.evaluate(() => localStorage.getItem("player-positions")))
      .toContain('"at":7');
    await page.reload();
    await player.presentedFrames(2);
    expect((await player.playback()).time).toBeGreaterThanOrEqual(7);
  });

  test("tells the system what plays", async ({ page }) => {
    await playing(page);
    expect(await page.evaluate(() => navigator.mediaSession.metadata?.title)).toBe(
      "海边的一整个下午",
    );
  });

  test("fills the screen and asks for the picture's orientation; floats; goes to another screen", async ({
    page,
    finger,
  }) => {
    // What the system does about it lies outside the browser: only that it is asked for, and how,
    // can be seen here.
    await page.addInitScript(() => {
      const asked: string[] = [];
      Object.assign(window, { asked });
      const note = (name: string) => async (detail?: unknown) =>
        void asked.push(`${name} ${detail ?? ""}`.trim());
      Object.assign(ScreenOrientation.prototype, { lock: note("lock") });
      HTMLVideoElement.prototype.requestPictureInPicture = note("float") as never;
      Object.defineProperty(Document.prototype, "pictureInPictureEnabled", { get: () => true });
      const remote = {
        watchAvailability: async (tell: (isThere: boolean) => void) => (tell(true), 1),
        cancelWatchAvailability: async () => {},
        prompt: note("screen"),
      };
      Object.defineProperty(HTMLMediaElement.prototype, "remote", { get: () => remote });
    });
    const player = await playing(page);
    const asked = () => page.evaluate(() => (window as unknown as { asked: string[] }).asked);
    await player.pressControl(finger, "画中画");
    await expect.poll(asked).toEqual(["float"]);
    await player.pressControl(finger, "投屏");
    await expect.poll(asked).toEqual(["float", "screen"]);
    await player.pressControl(finger, "全屏");
    await expect.poll(asked).toEqual(["float", "screen", "lock landscape"]);
    await expect(player.player).toHaveAttribute("data-fullscreen", "box");
  });

  test("says why it failed and goes on after a retry", async ({ page, finger, expected }) => {
    expected.allow(/404|Failed to load/);
    let isGone = true;
    await page.route(/\/media\/.*\.m3u8/, (route) =>
      isGone ? route.fulfill({ status: 404, body: "" }) : route.continue(),
    );
    const player = new PlayerPage(page);
    await player.open(VIDEO);
    await expect(player.player.getByRole("alert")).toHaveText("视频没有加载出来", {
      timeout: 20_000,
    });
    await expect(player.player).toContainText("视频不存在或已下架");
    isGone = false;
    await finger.press(player.player.getByRole("button", { name: "重新加载" }));
    await player.plays();
  });

  test("plays the plain file where HLS cannot be played", async ({ page }) => {
    const list = await (await page.request.get("/api/videosort/72?orderby=new&page=1")).json();
    const { id } = list.rescont.data[0];
    await page.addInitScript(() => {
      MediaSource.isTypeSupported = () => false;
      const can = HTMLMediaElement.prototype.canPlayType;
      HTMLMediaElement.prototype.canPlayType = function canPlayType(type) {
        return type.includes("mpegurl") ? "" : can.call(this, type);
      };
    });
    const player = new PlayerPage(page);
    await player.open(id);
    await player.plays();
    expect(await player.video.evaluate((video: HTMLVideoElement) => video.currentSrc)).toMatch(
      /\.mp4$/,
    );
  });

  test("asks past the browser's cache for a segment that comes without its end", async ({
    page,
  }) => {
    let segment = "";
    const asked: string[] = [];
    await page.route(/\/media\/.*\.mp4$/, async (route) => {
      const range = route.request().headers().range ?? "";
      // The first of a file is its initialization section.
      if (/^bytes=[1-9]/.test(range)) segment ||= range;
      if (range !== segment) return route.continue();
      asked.push(route.request().resourceType());
      if (asked.length > 1) return route.continue();
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.body()).subarray(0, 2772) });
    });
    const player = new PlayerPage(page);
    await player.open(VIDEO);
    await player.plays();
    expect(asked).toEqual(["xhr", "fetch"]);
  });

  test("turns to the plain file when the segments cannot be decoded", async ({ page }) => {
    const list = await (await page.request.get("/api/videosort/72?orderby=new&page=1")).json();
    const { id } = list.rescont.data[0];
    await page.route(/\/media\/.*\.(m4s|mp4)$/, (route) =>
      route.request().url().endsWith("/play.mp4")
        ? route.continue()
        : route.fulfill({ contentType: "video/mp4", body: Buffer.alloc(4096, 7) }),
    );
    const player = new PlayerPage(page);
    await player.open(id);
    await expect
      .poll(() => player.video.evaluate((video: HTMLVideoElement) => video.currentSrc), {
        timeout: 30_000,
      })
      .toMatch(/play\.mp4$/);
    await player.plays();
  });
});

test.describe("on a pc", () => {
  test.use({ viewport: { width: 1440, height: 900 }, isMobile: false, hasTouch: false });

  test("has keys, and a list of them", async ({ page }) => {
    const player = await playing(page);
    const state = () =>
      player.video.evaluate(({ paused, muted, volume, currentTime }: HTMLVideoElement) => ({
        paused,
        muted,
        volume,
        currentTime,
      }));
    await page.keyboard.press("Space");
    await expect.poll(async () => (await state()).paused).toBe(true);
    await player.video.evaluate((video: HTMLVideoElement) => (video.currentTime = 1));
    await page.keyboard.press("ArrowRight");
    await expect.poll(async () => Math.round((await state()).currentTime)).toBe(11);
    await page.keyboard.press("ArrowLeft");
    await expect.poll(async () => Math.round((await state()).currentTime)).toBe(1);
    await page.keyboard.press("ArrowDown");
    await expect.poll(async () => (await state()).volume).toBeCloseTo(0.9);
    await page.keyboard.press("m");
    await expect.poll(async () => (await state()).muted).toBe(true);
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "快捷键" });
    await expect(help).toContainText("播放或暂停");
    await page.keyboard.press("Escape");
    await expect(help).toHaveCount(0);
    await page.keyboard.press("f");
    await expect(player.player).toHaveAttribute("data-fullscreen", "box");
  });
});
