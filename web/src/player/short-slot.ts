import { createStore, type StoreApi } from "zustand/vanilla";
import { clamp } from "@/shared/clamp.ts";
import { ElementEngine } from "./element-engine.ts";
import type { Engine } from "./engine.ts";
import { HlsEngine } from "./hls-engine.ts";
import { bufferedUntil } from "./seek-position.ts";
import { isSafe } from "./short-order.ts";
import { addressFor, chooseEngine, detectAbilities, type PlaySource } from "./sources.ts";
import { createVideo } from "./stage.ts";

/** What the slide around a slot draws. */
export interface ShortState {
  /** The clip in the slot; null if it is empty. */
  readonly id: number | null;
  /** Whether a picture of this clip can be shown. */
  readonly drawn: boolean;
  readonly playing: boolean;
  readonly failed: boolean;
}

const EMPTY: ShortState = { id: null, drawn: false, playing: false, failed: false };

/**
 * One of the feed's permanent `<video>` elements and its current clip. A clip is opened at most
 * once; another clip, or none, frees its data.
 */
export class ShortSlot {
  readonly video: HTMLVideoElement = createVideo();
  readonly store: StoreApi<ShortState> = createStore(() => EMPTY);
  #engine: Engine | null = null;
  #sources: Promise<readonly PlaySource[]> | null = null;
  #startAt = 0;
  readonly #onReady: () => void;

  /**
   * @param onReady - the element has a source, or more of it: the one who waits may play or look
   * again.
   */
  constructor(onReady: () => void) {
    this.#onReady = onReady;
    const { video } = this;
    video.loop = true;
    const set = (part: Partial<ShortState>) => () => this.store.setState(part);
    video.addEventListener("loadeddata", set({ drawn: true }));
    video.addEventListener("playing", set({ playing: true, drawn: true }));
    video.addEventListener("pause", set({ playing: false }));
    for (const type of ["loadeddata", "progress", "canplaythrough"])
      video.addEventListener(type, onReady);
  }

  get id(): number | null {
    return this.store.getState().id;
  }

  /**
   * Whether the clip has enough buffered, or cannot be loaded at all: another one may be fetched.
   */
  get isSafe(): boolean {
    const { currentTime, duration, buffered } = this.video;
    return (
      this.store.getState().failed ||
      isSafe(currentTime, bufferedUntil(buffered, currentTime), duration)
    );
  }

  /** Seconds; 0 until known. */
  get duration(): number {
    return Number.isFinite(this.video.duration) ? this.video.duration : 0;
  }

  /** Goes to `time` seconds, kept inside the clip. */
  seek(time: number): void {
    if (this.duration > 0) this.video.currentTime = clamp(time, 0, this.duration);
  }

  /**
   * Assigns a clip, or none, to the slot. @param startAt - seconds into it.
   */
  hold(id: number | null, startAt = 0): void {
    if (id === this.id) return;
    this.release();
    this.#startAt = startAt;
    this.store.setState({ ...EMPTY, id });
  }

  /**
   * Fetches the clip's first bytes; once for each clip.
   *
   * @param find - asks for its sources.
   */
  open(find: (id: number) => Promise<readonly PlaySource[]>): void {
    const { id } = this;
    if (id === null || this.#sources) return;
    const asked = find(id);
    this.#sources = asked;
    const isStillWanted = () => this.#sources === asked;
    asked.then(
      (sources) => isStillWanted() && this.#openSources(sources),
      (error: unknown) => {
        console.warn(error);
        if (isStillWanted()) this.#fail();
      },
    );
  }

  /** Removes the small limit on buffering. */
  bufferFully(): void {
    this.#engine?.bufferFully();
  }

  /** Frees the clip; the element stays. */
  release(): void {
    this.#sources = null;
    this.video.pause();
    this.#engine?.close();
    this.#engine = null;
    this.video.playbackRate = 1;
    this.store.setState(EMPTY);
  }

  /** A plain file starts soonest (one request, no library); HLS where the server offers none. */
  #openSources(sources: readonly PlaySource[]): void {
    const events = {
      onAttached: this.#onReady,
      onRecovered: this.#onReady,
      onHeight: () => {},
      onFailure: () => this.#fail(),
    };
    const file = addressFor("file", sources, "auto");
    const kind = file ? "file" : chooseEngine(sources, detectAbilities());
    const address = kind && addressFor(kind, sources, "auto");
    if (!address) return this.#fail();
    this.#engine =
      kind === "hls"
        ? new HlsEngine(this.video, address, this.#startAt, "auto", events)
        : new ElementEngine(this.video, () => address, this.#startAt, "auto", events);
  }

  #fail(): void {
    this.store.setState({ failed: true });
    this.#onReady();
  }
}
