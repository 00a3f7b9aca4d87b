import type { Page } from "@playwright/test";
import { watchRequests } from "../fixtures/observe.ts";
import { expect, test } from "../fixtures/test.ts";
import { ShortFeedPage } from "../pages/short-feed.ts";

const COMING = "精彩将上，请保持关注！";
const SHORTS = /^\/api\/videosort\/72/;
/** The feed turns once in so long (specification §9), milliseconds. */
const SWITCH_MS = 500;
const MEDIA = /^\/media\/.*play\.mp4/;

/** The installation's six shorts over and over, ten a page, so that the feed has pages. */
async function lengthen(page: Page, pages: number): Promise<void> {
  const answer = await (await page.request.get("/api/videosort/72?orderby=new&page=1")).json();
  const real = answer.rescont.data;
  expect(real.length).toBe(6);
  await page.route("**/api/videosort/72?*", (route) => {
    const number = Number(new URL(route.request().url()).searchParams.get("page"));
    const data = Array.from({ length: 10 }, (_, index) => {
      const place = (number - 1) * 10 + index;
      return { ...real[place % real.length], id: 5000 + place, title: `第${place + 1}条` };
    });
    const next_page_url = number < pages ? `/api/videosort/72?page=${number + 1}` : null;
    return route.fulfill({
      json: { ...answer, rescont: { data, next_page_url, total: pages * 10, per_page: 10 } },
    });
  });
  await page.route(/\/api\/videoplay\/5\d\d\d\b/, async (route) => {
    const id = Number(/videoplay\/(\d+)/.exec(route.request().url())?.[1]);
    const source = await page.request.get(
      `/api/videoplay/${real[(id - 5000) % real.length].id}?uuid=1`,
    );
    const play = await source.json();
    return route.fulfill({ json: { ...play, rescont: { ...play.rescont, id } } });
  });
  // The server does not know these videos, and would say so to each report about them.
  await page.route("**/api/play/event", (route) =>
    route.fulfill({ json: { code: 200, msg: "ok", rescont: { is_counted: true } } }),
  );
}

/** Turns the feed so many places on, by the clock of a page that has one. */
async function turn(feed: ShortFeedPage, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await feed.press("ArrowDown");
}

test.describe("the short feed", () => {
  test("plays the clip on screen and pauses the others, on three elements however far one swipes", async ({
    page,
    finger,
  }) => {
    await lengthen(page, 3);
    const feed = new ShortFeedPage(page);
    await feed.open();
    await expect(feed.active.getByRole("heading")).toHaveText("第1条");
    await page.evaluate(() => {
      const all = [...document.querySelectorAll("video")];
      Object.assign(window, { firstElements: all });
    });
    for (let place = 1; place <= 4; place += 1) {
      await expect(feed.videos).toHaveCount(3);
      await expect(feed.active.getByRole("heading")).toHaveText(`第${place}条`);
      await feed.onlyActivePlays();
      await feed.swipe(finger, "on");
    }
    await expect(feed.active).toHaveAttribute("data-kind", "ad");
    await feed.swipe(finger, "back");
    await expect(feed.active.getByRole("heading")).toHaveText("第4条");
    await feed.onlyActivePlays();
    const areTheSame = await page.evaluate(() => {
      const first = (window as unknown as { firstElements: Element[] }).firstElements;
      const now = [...document.querySelectorAll("video")];
      return now.length === 3 && now.every((video) => first.includes(video));
    });
    expect(areTheSame).toBe(true);
  });

  test("follows the finger, and springs back when it is let go early", async ({ page, finger }) => {
    const feed = new ShortFeedPage(page);
    await feed.open();
    const first = await feed.active.getAttribute("data-id");
    const session = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", y?: number) =>
      session.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: y === undefined ? [] : [{ x: 150, y }],
      });
    const top = async () => (await feed.active.boundingBox())?.y ?? Number.NaN;
    const before = await top();
    await touch("touchStart", 500);
    for (const y of [480, 460, 440, 420, 400]) await touch("touchMove", y);
    await expect.poll(async () => Math.round((await top()) - before)).toBe(-100);
    // A rest before letting go: a slow, short pull is not a flick.
    await page.waitForTimeout(200);
    await touch("touchMove", 400);
    await touch("touchEnd");
    await expect.poll(async () => Math.round((await top()) - before)).toBe(0);
    expect(await feed.active.getAttribute("data-id")).toBe(first);
    await feed.swipe(finger, "on");
    expect(await feed.active.getAttribute("data-id")).not.toBe(first);
    await expect.poll(async () => Math.round((await top()) - before)).toBe(0);
  });

  test("shows an advertisement in the places 5, 10 and 15", async ({ page }) => {
    await page.clock.install();
    await lengthen(page, 2);
    const feed = new ShortFeedPage(page);
    await feed.open();
    const kinds: (string | null)[] = [];
    for (let place = 1; place <= 15; place += 1) {
      kinds.push(await feed.active.getAttribute("data-kind"));
      if (place === 5) {
        await expect(feed.active.getByText("广告", { exact: true })).toBeVisible();
        await expect(feed.active.getByRole("link", { name: "了解详情" })).toHaveAttribute(
          "rel",
          /sponsored/,
        );
        await expect(page.getByRole("button", { name: "评论" })).toHaveCount(0);
        expect(await page.$$eval("video", (all) => all.filter((one) => !one.paused).length)).toBe(
          0,
        );
      }
      if (place < 15) await turn(feed, 1);
    }
    const ads = kinds.flatMap((kind, index) => (kind === "ad" ? [index + 1] : []));
    expect(ads).toEqual([5, 10, 15]);
  });

  test("asks for the next page five places before the end, and says when there is no more", async ({
    page,
    context,
    finger,
  }) => {
    await page.clock.install();
    await lengthen(page, 2);
    const asked = watchRequests(context, SHORTS);
    const feed = new ShortFeedPage(page);
    await feed.open();
    // Ten videos and two advertisements: twelve places, so the eighth leaves five.
    await turn(feed, 6);
    expect(asked).toHaveLength(1);
    await feed.swipe(finger, "on");
    await expect.poll(() => asked.length).toBe(2);
    await expect(page.locator(".miin")).toHaveAttribute("data-end", "true");
    await turn(feed, 17);
    await expect(feed.active.getByText("广告", { exact: true })).toBeVisible();
    await expect(feed.message).toHaveCount(0);
    await feed.swipe(finger, "on");
    await expect(feed.message).toHaveText("没有更多了");
    expect(asked).toHaveLength(2);
  });

  test("turns once in half a second, whatever the wheel and the keys ask for", async ({ page }) => {
    await page.clock.install();
    const feed = new ShortFeedPage(page);
    await feed.open();
    // From here on time stands still but for what the test lets pass.
    await page.clock.pauseAt(Date.now() + 1000);
    const place = () => feed.place();
    for (let time = 0; time < 3; time += 1) {
      await page.keyboard.press("ArrowDown");
      await feed.stage.dispatchEvent("wheel", { deltaY: 120 });
      await expect.poll(place).toBe("100%");
    }
    await page.clock.fastForward(SWITCH_MS - 1);
    await page.keyboard.press("ArrowDown");
    await feed.stage.dispatchEvent("wheel", { deltaY: 120 });
    expect(await place()).toBe("100%");
    await page.clock.fastForward(1);
    await page.keyboard.press("ArrowDown");
    await expect.poll(place).toBe("200%");
    await page.clock.fastForward(SWITCH_MS);
    await page.keyboard.press("ArrowUp");
    await expect.poll(place).toBe("100%");
  });

  test("pauses at a tap and at the space bar; two taps and the buttons announce what is to come", async ({
    page,
    finger,
  }) => {
    const feed = new ShortFeedPage(page);
    await feed.open();
    await feed.onlyActivePlays();
    const paused = () => feed.videoOf("active", (video) => video.paused);
    const before = await paused();
    await finger.tap(195, 400);
    await expect.poll(paused).toBe(!before);
    await page.keyboard.press("Space");
    await expect.poll(paused).toBe(before);

    await finger.tap(195, 400, 2);
    await expect(feed.message).toHaveText(COMING);
    await page.waitForTimeout(400);
    expect(await paused()).toBe(before);
    for (const name of ["评论", "收藏"]) {
      await feed.message.click();
      await expect(feed.message).toHaveCount(0);
      await finger.press(page.getByRole("button", { name }));
      await expect(feed.message).toHaveText(COMING);
    }
  });

  test("runs at double speed while a finger rests on the clip", async ({ page }) => {
    const feed = new ShortFeedPage(page);
    await feed.open();
    await feed.onlyActivePlays();
    const session = await page.context().newCDPSession(page);
    const rate = () => feed.videoOf("active", (video) => video.playbackRate);
    await session.send("Input.dispatchTouchEvent", {
      type: "touchStart",
      touchPoints: [{ x: 195, y: 400 }],
    });
    await expect.poll(rate).toBe(2);
    await expect(page.getByText("2x 播放中")).toBeVisible();
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await expect.poll(rate).toBe(1);
    // Letting go is not a tap: the clip goes on.
    await page.waitForTimeout(400);
    await feed.onlyActivePlays();
  });

  test("keeps to 推荐 when 定时 is pressed", async ({ page, finger }) => {
    const feed = new ShortFeedPage(page);
    await feed.open();
    await finger.press(page.getByRole("tab", { name: "定时" }));
    await expect(feed.message).toHaveText(COMING);
    await expect(page.getByRole("tab", { name: "推荐" })).toHaveAttribute("aria-selected", "true");
    await finger.press(page.getByRole("link", { name: "返回首页" }));
    await expect(page).toHaveURL(/\/home$/);
    await expect(feed.videos).toHaveCount(0);
  });

  test("buffers the next clip only once the present one is safe, so that a swipe shows a picture at once", async ({
    page,
    context,
    finger,
  }) => {
    await lengthen(page, 1);
    const files = watchRequests(context, MEDIA);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isFirst = true;
    await page.route("**/media/**/play.mp4", async (route) => {
      if (isFirst) {
        isFirst = false;
        await held;
      }
      await route.continue();
    });
    const feed = new ShortFeedPage(page);
    await feed.open();
    await expect.poll(() => new Set(files).size).toBe(1);
    await page.waitForTimeout(500);
    expect(new Set(files).size).toBe(1);
    release();
    await expect.poll(() => new Set(files).size).toBe(2);
    await expect
      .poll(() => feed.videoOf("next", (video) => video.readyState))
      .toBeGreaterThanOrEqual(3);
    // The slide below shows its clip's own first picture already, not the cover.
    const isDrawn = await feed.videoOf("next", (video) => getComputedStyle(video).visibility);
    expect(isDrawn).toBe("visible");
    await page.waitForTimeout(500);
    expect(new Set(files).size).toBe(2);
    await feed.swipe(finger, "on");
    await feed.onlyActivePlays();
  });

  test("seeks where the hair line is let go", async ({ page, finger }) => {
    const feed = new ShortFeedPage(page);
    await feed.open();
    await feed.onlyActivePlays();
    await page.keyboard.press("Space");
    const bar = await page.getByRole("slider", { name: "播放进度" }).boundingBox();
    if (!bar) throw new Error("no progress bar");
    const y = bar.y + bar.height / 2;
    await finger.drag({ x: 20, y }, { x: bar.x + bar.width * 0.75, y });
    await expect
      .poll(() => feed.videoOf("active", (video) => video.currentTime / video.duration))
      .toBeCloseTo(0.75, 1);
    expect(await feed.place()).toBe("0%");
  });

  test("finds the clip that was left", async ({ page, finger }) => {
    await page.clock.install();
    const feed = new ShortFeedPage(page);
    await feed.open();
    await turn(feed, 2);
    await feed.onlyActivePlays();
    const left = await feed.active.getAttribute("data-id");
    await finger.press(feed.active.locator(".short-labels a").first());
    await expect(page).toHaveURL(/\/searchList/);
    await expect(feed.videos).toHaveCount(0);
    await page.goBack();
    expect(await feed.active.getAttribute("data-id")).toBe(left);
    await feed.onlyActivePlays();
    await expect(feed.videos).toHaveCount(3);
  });

  test("says what is wrong when the list does not come, and tries again", async ({
    page,
    finger,
    expected,
  }) => {
    expected.allow(/500/);
    let isDown = true;
    await page.route("**/api/videosort/72?*", (route) =>
      isDown ? route.fulfill({ status: 500, body: "" }) : route.continue(),
    );
    await page.goto("/miin");
    const retry = page.getByRole("button", { name: "请求失败，点击我重新加载" });
    await expect(retry).toBeVisible();
    isDown = false;
    await finger.press(retry);
    await new ShortFeedPage(page).onlyActivePlays();
  });
});

test.describe("on a phone on its side", () => {
  test.use({ viewport: { width: 844, height: 390 } });

  test("the clip has the whole height, and nothing lies over another", async ({ page }) => {
    const feed = new ShortFeedPage(page);
    await feed.open();
    const boxOf = async (selector: string) => {
      const box = await page.locator(selector).first().boundingBox();
      if (!box) throw new Error(`no ${selector}`);
      return { ...box, right: box.x + box.width, bottom: box.y + box.height };
    };
    const stage = await boxOf(".miin-stage");
    expect(stage).toMatchObject({ x: 0, y: 0, width: 844 });
    const [head, side] = [await boxOf(".miin-tabs"), await boxOf(".short-side")];
    const info = await boxOf(
      `.short[data-id="${await feed.active.getAttribute("data-id")}"] .short-info`,
    );
    expect(side.y).toBeGreaterThanOrEqual(head.bottom - 1);
    expect(side.bottom).toBeLessThanOrEqual(stage.bottom);
    expect(info.right).toBeLessThanOrEqual(side.x);
    expect(info.bottom).toBeLessThanOrEqual(stage.bottom);
    await expect(page.getByRole("button", { name: "下一个" })).toBeHidden();
    const fit = await feed.active
      .locator("video")
      .evaluate((clip) => getComputedStyle(clip).objectFit);
    expect(fit).toBe("contain");
  });
});

test.describe("on a wide screen", () => {
  test.use({ viewport: { width: 1440, height: 900 }, isMobile: false, hasTouch: false });

  test("the stage is upright in the middle and has arrows", async ({ page }) => {
    const feed = new ShortFeedPage(page);
    await feed.open();
    const box = await feed.stage.boundingBox();
    if (!box) throw new Error("no stage");
    expect(box.width / box.height).toBeCloseTo(9 / 16, 1);
    expect(box.height).toBeLessThanOrEqual(900);
    await expect(page.getByRole("button", { name: "上一个" })).toBeDisabled();
    const first = await feed.active.getAttribute("data-id");
    await page.getByRole("button", { name: "下一个" }).click();
    await expect(feed.active).not.toHaveAttribute("data-id", String(first));
    await feed.onlyActivePlays();
    await page.waitForTimeout(600);
    await page.getByRole("button", { name: "上一个" }).click();
    await expect(feed.active).toHaveAttribute("data-id", String(first));
  });

  test("without motion the slide stands there at once", async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    const feed = new ShortFeedPage(page);
    await feed.open();
    const duration = await page
      .locator(".miin-track")
      .evaluate((track) => getComputedStyle(track).transitionDuration);
    expect(Number.parseFloat(duration)).toBeLessThan(0.001);
  });
});
