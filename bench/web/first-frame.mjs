import { setTimeout as pause } from "node:timers/promises";
import { mobileSlow4G, PHONE } from "./dependencies.mjs";

const TAPS = 10;
/** Lighthouse's slow network, as it lays it on single requests: every one of them takes 0.56 s. */
export const SLOW_4G = {
  offline: false,
  latency: mobileSlow4G.requestLatencyMs,
  downloadThroughput: (mobileSlow4G.downloadThroughputKbps * 1024) / 8,
  uploadThroughput: (mobileSlow4G.uploadThroughputKbps * 1024) / 8,
};
const SLOW_DOWN = 4;
/** How long a finger rests on the glass in a tap, in milliseconds. */
const REST_MS = 100;

/**
 * Runs in the page: notes when a finger comes down, and when the first frame of a playing, visible
 * video is on the screen after it. Both are on the page's own clock, in milliseconds.
 */
function watchFirstFrame() {
  const times = { touched: 0, lifted: 0, presented: 0 };
  window.firstFrame = times;
  addEventListener("touchstart", (event) => (times.touched = event.timeStamp), { capture: true, passive: true });
  addEventListener("touchend", (event) => (times.lifted = event.timeStamp), { capture: true, passive: true });
  const isShown = (video) => {
    const { width, top } = video.getBoundingClientRect();
    return width > 0 && top >= 0 && top < innerHeight && video.checkVisibility({ visibilityProperty: true });
  };
  const follow = (video) => {
    const seen = (_, { presentationTime }) => {
      const isMoving = times.touched > 0 && !video.paused && isShown(video);
      // A picture that was decoded before the video was shown is seen now.
      if (isMoving) times.presented ||= presentationTime >= times.lifted ? presentationTime : performance.now();
      else video.requestVideoFrameCallback(seen);
    };
    video.requestVideoFrameCallback(seen);
  };
  // Players may make their element long before it enters the document.
  const create = document.createElement.bind(document);
  document.createElement = (name, options) => {
    const element = create(name, options);
    if (element instanceof HTMLVideoElement) follow(element);
    return element;
  };
}

/**
 * Runs in the page: resolves when what the page prepares for a tap has come, and nothing is left to
 * do.
 */
async function idle() {
  const hasCome = (part) => performance.getEntriesByType("resource").some(({ name }) => part.test(name));
  // The last is the beginning of the video, which is fetched where it lies in front of the visitor: a range of
  // its file, or a file as versions before published it.
  const beginning = /\/(s\d{5}\.m4s|[0-9a-f]{6}\.mp4)$/;
  while (![/hls\.light/, /play-video-screen/, /sysnotice/, beginning].every(hasCome)) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  for (let quiet = 0; quiet < 5; ) {
    const { timeRemaining } = await new Promise((resolve) =>
      requestIdleCallback((deadline) => resolve({ timeRemaining: deadline.timeRemaining() })),
    );
    quiet = timeRemaining > 10 ? quiet + 1 : 0;
  }
}

/**
 * Tap a tile of an idle home in a fresh profile.
 *
 * @param isSlow - On Lighthouse's slow network and a processor slowed down four times.
 * @param isResting - The finger is lifted after `REST_MS` instead of at once.
 * @returns Milliseconds to the first frame, from the finger down and from the finger up.
 */
export async function tapOnce(browser, url, isSlow, isResting = false) {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await page.addInitScript(watchFirstFrame);
  if (isSlow) {
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", SLOW_4G);
  }
  await page.goto(`${url}/home`);
  const tile = page.locator("a.tile").filter({ hasText: "真实的蝴蝶停在花上" }).first();
  await tile.click({ trial: true });
  await page.evaluate(idle);
  const { x, y, width, height } = await tile.boundingBox();
  if (isSlow) {
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOW_DOWN });
    await page.evaluate(idle);
  }
  await session.send("Input.dispatchTouchEvent", {
    type: "touchStart",
    touchPoints: [{ x: x + width / 2, y: y + height / 2 }],
  });
  if (isResting) await pause(REST_MS);
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await page.waitForFunction(() => window.firstFrame.presented > 0, undefined, { polling: 50 });
  const { touched, lifted, presented } = await page.evaluate(() => window.firstFrame);
  await context.close();
  return { fromTouch: presented - touched, fromLift: presented - lifted };
}

/**
 * Tap a tile of an idle home, each time in a fresh profile.
 *
 * @param isSlow - On Lighthouse's slow network and a processor slowed down four times.
 * @param isResting - The finger is lifted after `REST_MS` instead of at once.
 * @returns Milliseconds to the first frame, each tap.
 */
export async function measureTaps(browser, url, isSlow, isResting = false) {
  const taps = [];
  for (let tap = 0; tap < TAPS; tap += 1) taps.push(await tapOnce(browser, url, isSlow, isResting));
  return taps;
}
