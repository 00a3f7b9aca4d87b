import { expect, type Locator, type Page } from "@playwright/test";
import type { Finger } from "../fixtures/test.ts";

/**
 * A swipe may follow the last after this long (specification §9: 500 ms debounce), milliseconds.
 */
const LOCK_MS = 600;

/** `/miin`. */
export class ShortFeedPage {
  readonly stage: Locator;
  readonly slides: Locator;
  readonly videos: Locator;
  readonly active: Locator;
  readonly surface: Locator;
  readonly message: Locator;

  constructor(readonly page: Page) {
    this.stage = page.locator(".miin-stage");
    this.slides = this.stage.locator(".short");
    this.videos = page.locator("video");
    this.active = this.stage.locator(".short:not([inert])");
    this.surface = this.stage.locator(".short-tap");
    this.message = page.locator(".message");
  }

  async open(): Promise<void> {
    await this.page.goto("/miin");
    await expect(this.active).toBeVisible();
  }

  /**
   * Draws a finger up (on) or down (back) over most of the stage, and waits until the feed may be
   * turned again.
   */
  async swipe(finger: Finger, way: "on" | "back"): Promise<void> {
    const from = way === "on" ? { x: 150, y: 560 } : { x: 150, y: 200 };
    const to = way === "on" ? { x: 150, y: 200 } : { x: 150, y: 560 };
    await finger.drag(from, to, 6);
    await this.page.waitForTimeout(LOCK_MS);
  }

  /** Where the slide on screen stands on the track, in heights of the stage. */
  async place(): Promise<string> {
    return this.active.evaluate((slide: HTMLElement) => slide.style.top);
  }

  /**
   * Turns by a key, and lets the time pass on the page's clock after which the feed may be turned
   * again.
   */
  async press(key: "ArrowDown" | "ArrowUp"): Promise<void> {
    const before = await this.place();
    await this.page.keyboard.press(key);
    await expect.poll(() => this.place()).not.toBe(before);
    await this.page.clock.fastForward(LOCK_MS);
  }

  /** The clip on screen runs and all others stand still. */
  async onlyActivePlays(): Promise<void> {
    await expect
      .poll(async () => this.videoOf("active", (video) => video.currentTime))
      .toBeGreaterThan(0.2);
    await expect
      .poll(async () => this.page.$$eval("video", (all) => all.filter((one) => !one.paused).length))
      .toBe(1);
    expect(await this.videoOf("active", (video) => video.paused)).toBe(false);
  }

  /** Asks the element in the slide on screen, or in the one below it. */
  async videoOf<T>(which: "active" | "next", ask: (video: HTMLVideoElement) => T): Promise<T> {
    const place = await this.place();
    const top = which === "active" ? place : `${Number.parseInt(place, 10) + 100}%`;
    return this.stage.locator(`.short[style*="top: ${top}"] video`).evaluate(ask);
  }
}
