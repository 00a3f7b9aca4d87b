// What can be seen of a page that is given no frames any more. It tells whether the page or the
// browser is at fault: a script has no means to withhold frames from a visible page.
import { setTimeout as pause } from "node:timers/promises";
import { PHONE } from "./dependencies.mjs";

const FRAME_WITHIN_MS = 2000;
/** A browser that draws nothing does not answer a call for a picture either. */
const ANSWER_WITHIN_MS = 10_000;

/** Whether a page is given a frame within two seconds. Timers go on where there are none. */
const isDrawing = (page) =>
  page.evaluate(
    (limit) =>
      new Promise((resolve) => {
        setTimeout(() => resolve(false), limit);
        requestAnimationFrame(() => resolve(true));
      }),
    FRAME_WITHIN_MS,
  );

/** The answer, or `undefined` where the browser gives none in time or an error. */
const within = (answer) => Promise.race([answer.catch(() => undefined), pause(ANSWER_WITHIN_MS, undefined, { ref: false })]);

async function drawsAnotherPage(browser) {
  const context = await browser.newContext(PHONE);
  try {
    const page = await context.newPage();
    await page.setContent("<p>1</p>");
    return await isDrawing(page);
  } finally {
    await context.close();
  }
}

/** Runs in the page. */
const ownState = () => ({
  visibility: document.visibilityState,
  scrolled: Math.round(scrollY),
  height: document.documentElement.scrollHeight,
  animations: document.getAnimations().length,
  unloadedPictures: [...document.images].filter(({ complete }) => !complete).length,
});

/**
 * Look at a page that has stopped, the slowed-down processor still in force.
 *
 * @param session - The page's session of the DevTools protocol.
 * @returns The page's own state, and whether there are frames: at the old speed again, in another
 *   page of the same browser, after a change of the document, and after a picture was asked for.
 *   `undefined` where the browser did not answer.
 */
export async function describeStop(browser, page, session) {
  const atFirst = await within(isDrawing(page));
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  // Nothing of the page changes in between: frames that come back were withheld by the emulation.
  const withoutEmulation = await within(isDrawing(page));
  const state = await within(page.evaluate(ownState));
  const anotherPage = await within(drawsAnotherPage(browser));
  await within(page.evaluate(() => document.body.append(document.createElement("p"))));
  const afterChange = await within(isDrawing(page));
  const picture = await within(page.screenshot());
  const afterPicture = await within(isDrawing(page));
  return { ...state, atFirst, withoutEmulation, anotherPage, afterChange, hasPicture: Boolean(picture), afterPicture };
}
