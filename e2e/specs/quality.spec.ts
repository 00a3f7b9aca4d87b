import type { Page } from "@playwright/test";
import { expect, type Finger, test } from "../fixtures/test.ts";
import { PlayerPage } from "../pages/player.ts";

// Twelve seconds: little enough to lie in the buffer as a whole.
const VIDEO = 2;
/** A segment lasts two seconds. */
const SEGMENT_S = 2;

async function isWhole(player: PlayerPage): Promise<boolean> {
  return player.video.evaluate(
    ({ buffered, duration }: HTMLVideoElement) =>
      buffered.length > 0 && buffered.end(buffered.length - 1) > duration - 0.2,
  );
}

async function choose(page: Page, player: PlayerPage, finger: Finger, name: RegExp) {
  await player.pressControl(finger, /^清晰度/);
  await finger.press(page.getByRole("dialog", { name: "播放设置" }).getByRole("button", { name }));
}

/** The film's time when a picture of this height is first shown. */
async function timeOfHeight(player: PlayerPage, height: number): Promise<number> {
  return player.video.evaluate(
    (video: HTMLVideoElement, wanted) =>
      new Promise<number>((resolve) => {
        const look = (_: number, shown: VideoFrameCallbackMetadata) =>
          Math.min(shown.width, shown.height) === wanted
            ? resolve(shown.mediaTime)
            : void video.requestVideoFrameCallback(look);
        video.requestVideoFrameCallback(look);
      }),
    height,
  );
}

/** Seconds that the slowest request of the film has taken. */
async function slowestFetch(page: Page): Promise<number> {
  const taken = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter(({ name }) => name.includes("/media/"))
      .map(({ duration }) => duration),
  );
  expect(taken).not.toEqual([]);
  return Math.max(...taken) / 1000;
}

async function openLow(page: Page): Promise<PlayerPage> {
  await page.addInitScript(() => {
    localStorage.setItem("seek-hint-shown", "1");
    localStorage.setItem("player-preferences", JSON.stringify({ quality: 360 }));
  });
  const player = new PlayerPage(page);
  await player.open(VIDEO);
  await player.plays();
  return player;
}

test.describe("a quality that is chosen", () => {
  test("while the whole clip is in the buffer shows within a segment", async ({ page, finger }) => {
    const player = await openLow(page);
    await expect.poll(() => isWhole(player)).toBe(true);
    // Slowly: the rule speaks of the film's time, and a busy machine must not play through it first.
    await player.video.evaluate((video: HTMLVideoElement) => {
      video.playbackRate = 0.25;
      video.currentTime = 1;
    });
    await player.presentedFrames(2);
    await choose(page, player, finger, /^720P/);
    const { time } = await player.playback();
    const shown = await timeOfHeight(player, 720);
    // The player leaves itself the time that the new pictures will take to come, by what it has
    // seen of the network: two answers, and some six times the bytes of the lowest rendition.
    const fetching = 8 * (await slowestFetch(page));
    expect(shown - time).toBeLessThan(SEGMENT_S + 1 + fetching);
  });

  test("while paused shows without playing on", async ({ page, finger }) => {
    const player = await openLow(page);
    await expect.poll(() => isWhole(player)).toBe(true);
    await player.video.evaluate((video: HTMLVideoElement) => video.pause());
    await choose(page, player, finger, /^720P/);
    await expect.poll(async () => (await player.playback()).height).toBe(720);
  });

  test("after the end shows from the replay's first picture on", async ({ page, finger }) => {
    const player = await openLow(page);
    await expect.poll(() => isWhole(player)).toBe(true);
    await player.video.evaluate((video: HTMLVideoElement) => {
      video.currentTime = video.duration - 0.3;
    });
    await expect
      .poll(() => player.video.evaluate((video: HTMLVideoElement) => video.ended))
      .toBe(true);
    await choose(page, player, finger, /^720P/);
    await finger.press(player.player.getByRole("button", { name: "重播" }));
    expect(await timeOfHeight(player, 720)).toBeLessThan(1);
  });

  test("in the last seconds holds for the replay as well", async ({ page, finger }) => {
    const player = await openLow(page);
    await expect.poll(() => isWhole(player)).toBe(true);
    await player.video.evaluate((video: HTMLVideoElement) => {
      video.playbackRate = 0.25;
      video.currentTime = video.duration - 1.5;
    });
    await player.presentedFrames(2);
    await choose(page, player, finger, /^720P/);
    await player.video.evaluate((video: HTMLVideoElement) => {
      video.playbackRate = 1;
    });
    await expect
      .poll(() => player.video.evaluate((video: HTMLVideoElement) => video.ended))
      .toBe(true);
    await finger.press(player.player.getByRole("button", { name: "重播" }));
    expect(await timeOfHeight(player, 720)).toBeLessThan(1);
  });
});
