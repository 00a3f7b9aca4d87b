import { createStore, type StoreApi } from "zustand/vanilla";

/**
 * How the picture fills the screen: the player's own box, the system's player (iPhone has nothing
 * else), or the page itself where a browser offers neither.
 */
export type FullscreenMode = "box" | "system" | "page";

type SystemVideo = HTMLVideoElement & { webkitEnterFullscreen?: () => void };
type LockableOrientation = ScreenOrientation & {
  lock?: (orientation: "landscape" | "portrait") => Promise<void>;
};

/**
 * Full screen of one player box, with the orientation of its picture where the device allows it.
 */
export class FullScreen {
  readonly store: StoreApi<{ mode: FullscreenMode | null }> = createStore(() => ({ mode: null }));
  readonly #box: HTMLElement;
  readonly #video: HTMLVideoElement;

  /** @param signal - leaves full screen and stops listening. */
  constructor(box: HTMLElement, video: HTMLVideoElement, signal: AbortSignal) {
    this.#box = box;
    this.#video = video;
    document.addEventListener("fullscreenchange", () => this.#sync(), { signal });
    video.addEventListener("webkitbeginfullscreen", () => this.#set("system"), { signal });
    video.addEventListener("webkitendfullscreen", () => this.#set(null), { signal });
    signal.addEventListener("abort", () => void this.leave(), { once: true });
  }

  get active(): boolean {
    return this.store.getState().mode !== null;
  }

  /** Needs a gesture, as every browser demands. */
  async enter(): Promise<void> {
    const video = this.#video as SystemVideo;
    if (document.fullscreenEnabled) {
      try {
        await this.#box.requestFullscreen({ navigationUI: "hide" });
        await this.#lockOrientation();
        return;
      } catch (error) {
        console.info("全屏被浏览器拒绝", error);
      }
    }
    if (video.webkitEnterFullscreen && video.readyState > 0) video.webkitEnterFullscreen();
    else this.#set("page");
  }

  async leave(): Promise<void> {
    if (document.fullscreenElement === this.#box) await document.exitFullscreen();
    else if (this.store.getState().mode === "page") this.#set(null);
  }

  async toggle(): Promise<void> {
    await (this.active ? this.leave() : this.enter());
  }

  async #lockOrientation(): Promise<void> {
    const orientation = screen.orientation as LockableOrientation | undefined;
    const { videoWidth, videoHeight } = this.#video;
    try {
      await orientation?.lock?.(videoHeight > videoWidth ? "portrait" : "landscape");
    } catch {
      // Desktops refuse; the picture then keeps the screen's own orientation.
    }
  }

  #sync(): void {
    this.#set(document.fullscreenElement === this.#box ? "box" : null);
  }

  #set(mode: FullscreenMode | null): void {
    // The style sheet needs to know too: a box that fills the page is ours to draw.
    this.#box.dataset.fullscreen = mode ?? "none";
    this.store.setState({ mode });
  }
}
