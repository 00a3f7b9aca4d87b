import { PHONE } from "./dependencies.mjs";
import { heap } from "./heap.mjs";

const VISITS = 50;
/** Visits before the heap is first weighed: what is kept for good has been made by then. */
const WARM_UP = 5;
/**
 * The videos of home that have pictures: all others of the browser tests' installation are rows
 * alone.
 */
const TITLES = ["真实的蝴蝶停在花上", "海边的一整个下午"];
/** Milliseconds until a clip plays at the latest. */
const START_MS = 20_000;

/** `<video>` elements that the page still holds, in the document or not. */
async function countVideos(session) {
  const { result } = await session.send("Runtime.evaluate", { expression: "HTMLVideoElement.prototype" });
  const { objects } = await session.send("Runtime.queryObjects", { prototypeObjectId: result.objectId });
  const { result: count } = await session.send("Runtime.callFunctionOn", {
    objectId: objects.objectId,
    functionDeclaration: "function () { return this.length }",
    returnByValue: true,
  });
  return count.value;
}

/** From home to a video until it plays, and back. */
async function visit(page, number) {
  await page
    .locator("a.tile:visible")
    .filter({ hasText: TITLES[number % TITLES.length] })
    .first()
    .click();
  await page.waitForFunction(
    () => [...document.querySelectorAll("video")].some((video) => !video.paused && video.currentTime > 0),
    undefined,
    { polling: 50, timeout: START_MS },
  );
  await page.goBack();
  await page.waitForURL("**/home");
}

/**
 * Visit the player again and again from home, each time until the video plays.
 *
 * @returns The visits that were weighed, the growth of the heap over them in bytes, and the
 *   `<video>` elements alive.
 */
export async function measurePlayerVisits(browser, url) {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable");
  await page.goto(`${url}/home`, { waitUntil: "networkidle" });
  let before = 0;
  for (let number = 0; number < WARM_UP + VISITS; number += 1) {
    if (number === WARM_UP) before = await heap(session);
    await visit(page, number);
  }
  const growth = (await heap(session)) - before;
  const videos = await countVideos(session);
  await context.close();
  return { visits: VISITS, growth, videos };
}
