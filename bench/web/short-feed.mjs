import { setTimeout as pause } from "node:timers/promises";
import { PHONE } from "./dependencies.mjs";
import { heap } from "./heap.mjs";

const SWIPES = 100;
/** Swipes before the heap is first weighed: what is kept for good has been made by then. */
const WARM_UP = 10;
const PAGE = 24;
/**
 * The feed turns at most once in half a second; so much later it may be turned again, in
 * milliseconds.
 */
const LOCK_MS = 550;
/** A clip that has not started by then is late, in milliseconds. */
const START_MS = 10_000;

/**
 * The installation's shorts over and over, under numbers of their own: a feed longer than the
 * swipes.
 */
async function lengthen(page, url) {
  const first = await (await fetch(`${url}/api/videosort/72?orderby=new&page=1`)).json();
  const shorts = first.rescont.data;
  const total = SWIPES * 2;
  const plays = await Promise.all(
    shorts.map(async ({ id }) => (await fetch(`${url}/api/videoplay/${id}?uuid=1`)).json()),
  );
  await page.route("**/api/videosort/72?*", (route) => {
    const number = Number(new URL(route.request().url()).searchParams.get("page"));
    const data = Array.from({ length: PAGE }, (_, index) => {
      const place = (number - 1) * PAGE + index;
      return { ...shorts[place % shorts.length], id: 100_000 + place };
    });
    const next_page_url = number * PAGE < total ? `/api/videosort/72?page=${number + 1}` : null;
    return route.fulfill({ json: { ...first, rescont: { data, next_page_url, total, per_page: PAGE } } });
  });
  await page.route(/\/api\/videoplay\/1\d{5}\b/, (route) => {
    const id = Number(/videoplay\/(\d+)/.exec(route.request().url())[1]);
    const play = plays[(id - 100_000) % plays.length];
    return route.fulfill({ json: { ...play, rescont: { ...play.rescont, id } } });
  });
}

/**
 * Runs in the page: notes when a finger is lifted and when the clip that plays then has put its
 * next picture on the screen. Both are on the page's own clock, in milliseconds. It also counts the
 * display's own frames.
 */
function watchStarts() {
  const seen = { lifted: 0, presented: 0, drawn: false, left: null };
  window.shortStart = seen;
  const isNextDrawn = () => {
    const shown = document.querySelector(".short:not([inert])");
    const below = `${Number.parseInt(shown.style.top, 10) + 100}%`;
    const next = [...document.querySelectorAll(".short")].find((slide) => slide.style.top === below);
    return next?.querySelector(".short-host").dataset.drawn === "true";
  };
  addEventListener(
    "touchend",
    (event) => {
      const left = document.querySelector(".short:not([inert]) video");
      Object.assign(seen, { lifted: event.timeStamp, presented: 0, drawn: isNextDrawn(), left });
    },
    true,
  );
  // The clip that is drawn in moves before the finger is lifted: every picture that it presents is looked at.
  const follow = (video) =>
    video.requestVideoFrameCallback((_, { presentationTime }) => {
      if (seen.lifted > 0 && seen.left !== video && presentationTime >= seen.lifted) seen.presented ||= presentationTime;
      if (!video.paused) follow(video);
    });
  document.addEventListener("play", ({ target }) => follow(target), true);
}

/** Milliseconds between two frames of the display, the median of half a second. */
const frameTime = (page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const times = [];
        const tick = (now) => {
          times.push(now);
          if (times.length <= 30) return requestAnimationFrame(tick);
          const steps = times.slice(1).map((time, index) => time - times[index]);
          resolve(steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)]);
        };
        requestAnimationFrame(tick);
      }),
  );

async function swipe(session) {
  const touch = (type, y) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: y === undefined ? [] : [{ x: 150, y }] });
  await touch("touchStart", 560);
  for (const y of [500, 420, 330, 240]) await touch("touchMove", y);
  await touch("touchEnd");
}

/** Whether the slide below holds a clip whose first pictures are there. */
const isNextBuffered = () => {
  const active = document.querySelector(".short:not([inert])");
  const below = `${Number.parseInt(active.style.top, 10) + 100}%`;
  const next = [...document.querySelectorAll(".short")].find((slide) => slide.style.top === below);
  return next?.dataset.kind === "ad" || (next?.querySelector("video").readyState ?? 0) >= 3;
};

/**
 * Swipe through the short feed, each time once the next clip is there.
 *
 * @returns Display frames from the finger's lift to the clip's first moving picture, each swipe; of
 *   how many swipes the clip's own first picture stood there before the finger was lifted; the
 *   growth of the heap in bytes; the most `<video>` elements that were in the document.
 */
export async function measureShortFeed(browser, url) {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable");
  await page.addInitScript(watchStarts);
  await lengthen(page, url);
  await page.goto(`${url}/miin`);
  await page.locator(".short:not([inert]) video").waitFor({ state: "attached" });
  const frame = await frameTime(page);
  const frames = [];
  let [before, elements, drawn] = [0, 0, 0];
  for (let count = 0; count < SWIPES; count += 1) {
    if (count === WARM_UP) before = await heap(session);
    await page.waitForFunction(isNextBuffered, undefined, { polling: 50, timeout: START_MS });
    await pause(LOCK_MS);
    await swipe(session);
    const isAd = (await page.locator(".short:not([inert])").getAttribute("data-kind")) === "ad";
    elements = Math.max(elements, await page.locator("video").count());
    if (isAd) continue;
    await page.waitForFunction(() => window.shortStart.presented > 0, undefined, { polling: 20, timeout: START_MS });
    const { lifted, presented, drawn: isDrawn } = await page.evaluate(() => ({ ...window.shortStart, left: null }));
    frames.push((presented - lifted) / frame);
    if (isDrawn) drawn += 1;
  }
  const growth = (await heap(session)) - before;
  await context.close();
  return { frames, drawn, growth, elements };
}
