import type { Engine, EngineEvents } from "./engine.ts";
import { reasonForMediaError } from "./failure.ts";
import type { Quality } from "./sources.ts";

/** Playback by the element itself: WebKit's own HLS, or a plain file. */
export class ElementEngine implements Engine {
  readonly #video: HTMLVideoElement;
  readonly #addressFor: (quality: Quality) => string;
  readonly #life = new AbortController();

  /**
   * @param addressFor - where a quality lives; the element cannot switch inside a master playlist.
   */
  constructor(
    video: HTMLVideoElement,
    addressFor: (quality: Quality) => string,
    startAt: number,
    quality: Quality,
    events: EngineEvents,
  ) {
    this.#video = video;
    this.#addressFor = addressFor;
    const { signal } = this.#life;
    video.addEventListener(
      "error",
      () => events.onFailure(reasonForMediaError(video.error?.code ?? 0, navigator.onLine)),
      { signal },
    );
    video.addEventListener(
      "resize",
      () => events.onHeight(Math.min(video.videoWidth, video.videoHeight)),
      { signal },
    );
    this.#open(addressFor(quality), startAt);
    events.onAttached();
  }

  setQuality(quality: Quality): void {
    const address = this.#addressFor(quality);
    const video = this.#video;
    if (video.src === new URL(address, location.href).href) return;
    const { paused, playbackRate, currentTime } = video;
    this.#open(address, currentTime);
    video.playbackRate = playbackRate;
    if (!paused)
      void video.play().catch((error: unknown) => console.info("切换清晰度后未能继续播放", error));
  }

  bufferFully(): void {
    // The browser decides how far it buffers.
  }

  close(): void {
    this.#life.abort();
    this.#video.removeAttribute("src");
    this.#video.load();
  }

  #open(address: string, startAt: number): void {
    const video = this.#video;
    video.src = address;
    if (startAt <= 0) return;
    const seek = () => {
      video.currentTime = startAt;
    };
    video.addEventListener("loadedmetadata", seek, { once: true, signal: this.#life.signal });
  }
}
