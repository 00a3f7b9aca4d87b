import type { Page } from "@playwright/test";
import { watchRequests } from "../fixtures/observe.ts";
import { expect, test } from "../fixtures/test.ts";

test.use({
  viewport: { width: 1440, height: 900 },
  isMobile: false,
  hasTouch: false,
  serviceWorkers: "block",
});

// Twelve seconds long: six pictures.
const TILE = ".shell a.tile[href='/playVideo?id=2']";

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  const loaded = page.waitForResponse(/watch-hover-preview/);
  await page.keyboard.press("Shift");
  await loaded;
}

test("a mouse that rests on a tile sees the video in pictures", async ({ page }) => {
  await open(page, "/home");
  const tile = page.locator(TILE).first();
  await tile.hover();
  const preview = tile.locator(".hover-preview");
  await expect(preview).toBeVisible();
  const place = () => preview.evaluate((box) => getComputedStyle(box).backgroundPosition);
  const first = await place();
  await expect.poll(place).not.toBe(first);
  await expect(tile.locator(".cover-start")).toBeVisible();
  await page.mouse.move(2, 2);
  await expect(preview).toHaveCount(0);
});

test("a locked video shows nothing", async ({ page, context }) => {
  const asked = watchRequests(context, /^\/(media|api\/videoplay)\//);
  await page.clock.install();
  await open(page, "/list?typeId=73&orderby=new");
  const locked = page.locator(".shell a.tile", { has: page.locator(".lock-disc") }).first();
  await locked.hover();
  await page.clock.fastForward(1000);
  // What was asked for before is noted before this is answered.
  await page.evaluate(() => fetch("/healthz").then((answer) => answer.text()));
  await expect(locked.locator(".hover-preview")).toHaveCount(0);
  expect(asked).toEqual([]);
});

test("who wants little motion sees none, and nothing is asked for", async ({ page, context }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open(page, "/home");
  const asked = watchRequests(context, /\/api\/videoplay\//);
  const calm = page.locator(TILE).first();
  await calm.hover();
  await expect(calm).toBeInViewport();
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.mouse.move(2, 2);
  await calm.hover();
  await expect(calm.locator(".hover-preview")).toBeVisible();
  // The second hover alone has asked.
  expect(asked).toHaveLength(1);
});
