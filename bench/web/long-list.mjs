import { PHONE } from "./dependencies.mjs";
import { describeStop } from "./stopped-frames.mjs";

const ITEMS = 5000;
/** How much slower the processor is made. */
const SLOW_DOWN = 4;
/** CSS pixels a frame: a hard fling. */
const STEP_PX = 120;
/** A list that does not grow for so long has a fault, in milliseconds. */
const STALL_MS = 20_000;

/** Runs in which the browser may stop drawing before that is an error. */
const ATTEMPTS = 4;

/** Rows for a list of any length, from the installation's own first page. */
async function lengthen(page, url) {
  const first = await (await fetch(`${url}/api/videosort/0?orderby=new&page=1`)).json();
  const { data: rows, per_page: perPage } = first.rescont;
  await page.route("**/api/videosort/0?*", (route) => {
    const number = Number(new URL(route.request().url()).searchParams.get("page"));
    const start = (number - 1) * perPage;
    const data = Array.from({ length: Math.min(perPage, ITEMS - start) }, (_, index) => ({
      ...rows[index % rows.length],
      id: 100_000 + start + index,
      title: `第 ${start + index + 1} 个：一个不短的标题`,
    }));
    const next_page_url = start + perPage < ITEMS ? `/api/videosort/0?page=${number + 1}` : null;
    return route.fulfill({ json: { ...first, rescont: { data, next_page_url, total: ITEMS, per_page: perPage } } });
  });
}

/**
 * Runs in the page: scrolls to the end of the list, a step a frame. @returns Frame times, long
 * tasks and elements.
 */
async function scrollThrough({ step, stallMs }) {
  const tasks = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)));
  observer.observe({ type: "longtask" });
  const frames = [];
  let [nodes, last, standing] = [0, 0, 0];
  let frameAt = performance.now();
  const isOver = () => document.querySelector(".list-tail-end") !== null;
  const isStopped = await new Promise((resolve, reject) => {
    // Timers go on where the browser gives no frames any more.
    const watch = setInterval(() => {
      if (performance.now() - frameAt > stallMs) end(() => resolve(true));
    }, 1000);
    const end = (settle) => {
      clearInterval(watch);
      settle();
    };
    const tick = (now) => {
      frameAt = performance.now();
      const before = scrollY;
      scrollBy({ top: step, behavior: "instant" });
      const isMoving = scrollY > before;
      // Only frames that scrolled count; one that waited for the next page did nothing.
      if (isMoving && last > 0 && standing === 0) frames.push(now - last);
      if (frames.length % 60 === 0) nodes = Math.max(nodes, document.querySelectorAll("*").length);
      if (!isMoving) {
        standing ||= now;
        if (isOver()) return end(() => resolve(false));
        if (now - standing > stallMs) return end(() => reject(new Error("the list has stopped growing")));
      } else standing = 0;
      last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  observer.disconnect();
  return { frames, tasks, nodes, isStopped };
}

/**
 * Scroll a page to its end on the slowed-down processor, and say what is seen where it stops.
 *
 * @param name - What the page is called on the error output.
 */
export async function scrollSlowly(browser, page, name) {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOW_DOWN });
  const figures = await page.evaluate(scrollThrough, { step: STEP_PX, stallMs: STALL_MS });
  if (figures.isStopped) {
    figures.stop = await describeStop(browser, page, session);
    console.error(`${name}: no more frames after ${figures.frames.length}: ${JSON.stringify(figures.stop)}`);
  }
  return figures;
}

export async function scrollOnce(browser, url) {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  await lengthen(page, url);
  await page.goto(`${url}/list?typeId=0&orderby=new`);
  await page.locator("a.tile").first().waitFor();
  const figures = await scrollSlowly(browser, page, "the long list");
  await context.close();
  return figures;
}

/**
 * Scroll a list of 5,000 videos from its first to its last on a processor slowed down four times; once
 * more where the browser stops drawing.
 *
 * @returns Times of its frames and long tasks, milliseconds, and the most elements that were in the
 *   document.
 */
export async function measureLongList(browser, url) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const figures = await scrollOnce(browser, url);
    if (!figures.isStopped) return figures;
  }
  throw new Error(`the browser stopped drawing in each of ${ATTEMPTS} runs`);
}
