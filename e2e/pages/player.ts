import { expect, type Locator, type Page } from "@playwright/test";
import type { Finger } from "../fixtures/test.ts";

/** What the `<video>` element knows of itself. */
export interface Playback {
  readonly time: number;
  readonly width: number;
  readonly height: number;
  readonly soundBytes: number;
}

/** `/playVideo`. */
export class PlayerPage {
  readonly player: Locator;
  readonly video: Locator;
  readonly gate: Locator;
  readonly back: Locator;

  constructor(readonly page: Page) {
    this.player = page.getByRole("region", { name: "播放器" });
    this.video = this.player.locator("video");
    this.gate = page.getByRole("region", { name: "广告", exact: true });
    this.back = this.player.getByRole("button", { name: "返回" });
  }

  async open(id: number, query = ""): Promise<void> {
    await this.page.goto(`/playVideo?id=${id}${query}`);
    await expect(this.player).toBeVisible();
  }

  /** Brings the controls up, wherever they are hidden. */
  async showControls(finger: Finger): Promise<void> {
    const controls = this.player.locator(".player-controls");
    await expect(async () => {
      if ((await controls.getAttribute("data-visible")) !== "true") {
        const box = await this.player.boundingBox();
        if (!box) throw new Error("no player");
        await finger.tap(box.x + box.width / 2, box.y + 60);
      }
      await expect(controls).toHaveAttribute("data-visible", "true", { timeout: 1000 });
    }).toPass();
  }

  /** Presses a control, which may be hidden, or hide just before it is pressed. */
  async pressControl(finger: Finger, name: string | RegExp): Promise<void> {
    const button = this.player.getByRole("button", { name, exact: true }).first();
    await expect(async () => {
      await this.showControls(finger);
      await finger.press(button, 1000);
    }).toPass();
  }

  /** Resolves when so many further frames have been put on the screen. */
  async presentedFrames(count: number): Promise<void> {
    await this.video.evaluate(
      (video: HTMLVideoElement, wanted) =>
        new Promise<void>((resolve, reject) => {
          let presented = 0;
          // Before the test's own time is over, which would not say why none came.
          const late = setTimeout(() => {
            const { paused, readyState, networkState, currentTime, isConnected, error } = video;
            const known = { paused, readyState, networkState, currentTime, isConnected };
            const state = { ...known, error: error?.message, page: document.visibilityState };
            reject(new Error(`${presented} of ${wanted} frames: ${JSON.stringify(state)}`));
          }, 40_000);
          const seen = () => {
            presented += 1;
            if (presented < wanted) return void video.requestVideoFrameCallback(seen);
            clearTimeout(late);
            resolve();
          };
          video.requestVideoFrameCallback(seen);
        }),
      count,
    );
  }

  async playback(): Promise<Playback> {
    return this.video.evaluate(
      (video: HTMLVideoElement & { webkitAudioDecodedByteCount?: number }) => ({
        time: video.currentTime,
        width: video.videoWidth,
        height: video.videoHeight,
        soundBytes: video.webkitAudioDecodedByteCount ?? 0,
      }),
    );
  }

  /** Frames come, the clock runs on, and sound is decoded. */
  async plays(): Promise<void> {
    await this.presentedFrames(5);
    const before = await this.playback();
    await expect.poll(async () => (await this.playback()).time).toBeGreaterThan(before.time + 0.5);
    await expect.poll(async () => (await this.playback()).soundBytes).toBeGreaterThan(0);
    await this.presentedFrames(5);
  }
}
