import { chosenAudio, tagOf } from "./audio-tracks.ts";
import type { Engine, EngineEvents } from "./engine.ts";
import { reasonForMediaError } from "./failure.ts";
import type { Sound } from "./playback-state.ts";
import type { Quality } from "./sources.ts";

/** Only WebKit has them, and the DOM's types do not. */
interface WithAudioTracks {
  readonly audioTracks?: EventTarget & ArrayLike<{ readonly language: string; enabled: boolean }>;
}

/** Playback by the element itself: WebKit's own HLS, or a plain file. */
export class ElementEngine implements Engine {
  readonly #video: HTMLVideoElement;
  readonly #addressFor: (quality: Quality) => string;
  readonly #life = new AbortController();
  readonly #events: EngineEvents;
  #audio: string;

  /**
   * @param addressFor - where a quality lives; the element cannot switch inside a master playlist.
   */
  constructor(
    video: HTMLVideoElement,
    addressFor: (quality: Quality) => string,
    startAt: number,
    quality: Quality,
    events: EngineEvents,
    { audio }: Sound = { audio: "" },
  ) {
    this.#video = video;
    this.#addressFor = addressFor;
    this.#events = events;
    this.#audio = audio;
    const { signal } = this.#life;
    // Another quality is another playlist: its tracks are chosen anew.
    video.addEventListener("loadedmetadata", () => this.#enableChosen(), { signal });
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

  setAudio(lang: string): void {
    this.#audio = lang;
    this.#enableChosen();
  }

  #enableChosen(): void {
    const { audioTracks } = this.#video as WithAudioTracks;
    const tracks = Array.from(audioTracks ?? [], (track) => ({ lang: track.language, track }));
    const chosen = chosenAudio(tracks, this.#audio);
    if (chosen >= 0) for (const [at, { track }] of tracks.entries()) track.enabled = at === chosen;
    const heard = tracks.find(({ track }) => track.enabled);
    if (tracks.length > 1 && heard) this.#events.onAudio?.(tagOf(heard));
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
