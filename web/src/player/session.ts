import { createStore, type StoreApi } from "zustand/vanilla";
import { clamp } from "@/shared/clamp.ts";
import { ElementEngine } from "./element-engine.ts";
import { awayFromEnd, followElement } from "./element-state.ts";
import type { Engine } from "./engine.ts";
import type { FailureReason } from "./failure.ts";
import { dropSpareEngine, HlsEngine } from "./hls-engine.ts";
import {
  hasExpired,
  type PlaybackState,
  type PlayOrder,
  type Renewal,
  type Sound,
  stateAtStart,
} from "./playback-state.ts";
import { HOLD_RATE } from "./rates.ts";
import {
  addressFor,
  chooseEngine,
  detectAbilities,
  type EngineKind,
  fileAfterFailure,
  type PlaySource,
  type Quality,
} from "./sources.ts";
import { stageVideo } from "./stage.ts";
import { after } from "./timing.ts";

/** A wait shorter than this is not worth a spinner. */
const SPINNER_AFTER_MS = 300;
/** New addresses that are refused this soon after the last ones did not help. */
const RENEWAL_PAUSE_MS = 30_000;

/**
 * One video on the stage, from the first byte to freeing its buffers. It knows nothing of React,
 * advertisements or locks. `dispose()` ends it; every timer and listener depends on {@link
 * PlaybackSession.signal}.
 */
export class PlaybackSession {
  readonly id: number;
  readonly video: HTMLVideoElement = stageVideo();
  readonly store: StoreApi<PlaybackState>;
  readonly signal: AbortSignal;
  readonly #life = new AbortController();
  #sources: readonly PlaySource[];
  #engine: Engine | null = null;
  #opened: { kind: EngineKind; address: string } | null = null;
  #wantsPlay = false;
  /** HLS has failed for good in this browser: the progressive file replaces it. */
  #isOnFile = false;
  #sound: Sound;
  #renewal: Renewal | null;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #cancelSpinner: () => void = () => {};

  constructor(order: PlayOrder) {
    this.id = order.id;
    this.signal = this.#life.signal;
    this.#sources = order.sources;
    this.#sound = order;
    this.#renewal = order.renewal ?? null;
    this.store = createStore<PlaybackState>(() => stateAtStart(order, this.video));
    this.#listen();
    this.#open(order.startAt);
  }

  get state(): PlaybackState {
    return this.store.getState();
  }

  /** The full list of sources has arrived after playback began with the first of them. */
  adoptSources(sources: readonly PlaySource[]): void {
    if (this.#isOnFile) return;
    this.#sources = sources;
    const { failure } = this.state;
    if (failure) this.#turnToFile(failure.reason);
  }

  /** Starts or continues. A refusal by the browser shows as {@link PlaybackState.refused}. */
  play(): void {
    if (this.signal.aborted) return;
    this.#wantsPlay = true;
    if (this.state.phase === "ended") this.video.currentTime = 0;
    this.#engine?.bufferFully();
    this.#tryPlay();
    this.#noteWaiting();
  }

  pause(): void {
    this.#wantsPlay = false;
    this.video.pause();
  }

  toggle(): void {
    if (this.state.playing) this.pause();
    else this.play();
  }

  /** Goes to `time` seconds, kept inside the video. */
  seek(time: number): void {
    const target = clamp(time, 0, this.state.duration || Number.MAX_SAFE_INTEGER);
    this.video.currentTime = target;
    this.#set({ time: target, ...awayFromEnd(this.state) });
  }

  setRate(rate: number): void {
    this.#set({ rate });
    if (!this.state.holding) this.video.playbackRate = rate;
  }

  /** Plays at {@link HOLD_RATE} while a finger rests on the picture. */
  hold(holding: boolean): void {
    if (holding && !this.state.playing) return;
    this.#set({ holding });
    this.video.playbackRate = holding ? HOLD_RATE : this.state.rate;
  }

  /** Relative to the element's volume, not the state's, whose event is late for quick presses. */
  changeVolume(step: number): void {
    this.setVolume((this.video.muted ? 0 : this.video.volume) + step);
  }

  /** @param volume - 0 to 1; any sound ends muting. */
  setVolume(volume: number): void {
    this.video.volume = clamp(volume, 0, 1);
    this.video.muted = this.video.volume === 0;
  }

  setMuted(muted: boolean): void {
    this.video.muted = muted;
    if (!muted && this.video.volume === 0) this.video.volume = 0.5;
  }

  setQuality(quality: Quality): void {
    this.#set({ quality });
    // What has failed is opened with the new one; its engine would only note it.
    if (this.state.phase === "failed") return this.retry();
    const address = this.#locate(quality);
    // The playlist that playback began with may be older than the current ladder.
    if (this.#opened?.kind === "hls" && this.#opened.address !== address)
      this.#reopen(this.state.time);
    else this.#engine?.setQuality(quality);
  }

  /** @param lang - the tag of an audio track. */
  setAudio(lang: string): void {
    this.#sound = { ...this.#sound, audio: lang };
    this.#engine?.setAudio(lang);
  }

  /** Opens the video anew where it failed; one that was paused may stay silent. */
  retry(isWanted = true): void {
    this.#wantsPlay = isWanted;
    this.#reopen(this.state.failure?.at ?? this.state.time);
    if (isWanted) this.play();
  }

  /** Ends the session: no sound, no request, no buffer is left behind. */
  dispose(): void {
    if (this.signal.aborted) return;
    this.#set({ phase: "disposed", playing: false, waiting: false });
    this.#life.abort();
    this.#wantsPlay = false;
    this.video.pause();
    this.#engine?.close();
    this.#engine = null;
    this.video.remove();
  }

  #set(part: Partial<PlaybackState>): void {
    this.store.setState(part);
  }

  readonly #locate = (quality: Quality): string => {
    const kind = chooseEngine(this.#sources, detectAbilities());
    return (kind && addressFor(kind, this.#sources, quality)) ?? "";
  };

  #reopen(at: number): void {
    this.#engine?.close();
    this.#set({ phase: "loading", failure: null, time: at });
    this.#open(at);
  }

  #open(startAt: number): void {
    const kind = chooseEngine(this.#sources, detectAbilities());
    if (kind === null) return this.#fail("unsupported");
    const events = {
      onAttached: () => this.#onAttached(),
      // What was stopped from outside, has ended or has failed is not begun again.
      onRecovered: () => this.state.playing && this.#tryPlay(),
      onHeight: (height: number) => this.#set({ height }),
      onAudio: (audio: string) => this.#set({ audio }),
      onFailure: (reason: FailureReason) => this.#fail(reason),
    };
    const { quality } = this.state;
    this.#opened = { kind, address: this.#locate(quality) };
    if (kind !== "hls") dropSpareEngine();
    this.#engine =
      kind === "hls"
        ? new HlsEngine(this.video, this.#opened.address, startAt, quality, events, this.#sound)
        : new ElementEngine(this.video, this.#locate, startAt, quality, events, this.#sound);
  }

  #onAttached(): void {
    // Engines report from their constructor too, before we have a reference to them.
    if (!this.#wantsPlay) return;
    this.#engine?.bufferFully();
    this.#tryPlay();
  }

  #tryPlay(): void {
    if (!this.video.src) return;
    this.video.play().then(
      () => this.#set({ refused: false }),
      (error: unknown) => this.#onRefusal(error),
    );
  }

  #onRefusal(error: unknown): void {
    if (this.signal.aborted || (error instanceof DOMException && error.name === "AbortError"))
      return;
    console.info("自动播放被浏览器拦截", error);
    this.#wantsPlay = false;
    this.#set({ refused: true, waiting: false });
  }

  /** Tries the progressive file where HLS cannot be played. @returns whether there is one. */
  #turnToFile(reason: FailureReason): boolean {
    const file = this.#isOnFile ? null : fileAfterFailure(this.#sources, reason);
    if (!file) return false;
    console.info("HLS 无法播放，改用 MP4", reason);
    this.#isOnFile = true;
    this.#sources = [file];
    this.#reopen(this.state.time);
    return true;
  }

  /** Continues with new addresses at the same position. */
  async #renew(renewal: Renewal, reason: FailureReason): Promise<void> {
    this.#renewedAt = performance.now();
    const at = this.state.time;
    this.#engine?.close();
    this.#noteWaiting();
    try {
      const { sources, expiresAt } = await renewal.renew();
      if (this.signal.aborted) return;
      this.#renewal = { ...renewal, expiresAt };
      this.#sources = sources;
      const isPlaying = this.#wantsPlay;
      this.#reopen(at);
      if (isPlaying) this.play();
    } catch (error) {
      console.info("播放权限未能续期", error);
      if (!this.signal.aborted) this.#fail(reason);
    }
  }

  #fail(reason: FailureReason): void {
    this.#cancelSpinner();
    const hasPaused = performance.now() - this.#renewedAt > RENEWAL_PAUSE_MS;
    if (this.#renewal && hasPaused && hasExpired(this.#renewal, reason))
      return void this.#renew(this.#renewal, reason);
    if (this.#turnToFile(reason)) return;
    this.video.pause();
    this.#set({
      phase: "failed",
      waiting: false,
      playing: false,
      failure: { reason, at: this.state.time },
    });
  }

  /** Shows the spinner only if the wait lasts. */
  #noteWaiting(): void {
    this.#cancelSpinner();
    this.#cancelSpinner = after(
      SPINNER_AFTER_MS,
      () => {
        const late = this.video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA;
        if (this.#wantsPlay && late && this.state.phase !== "failed") this.#set({ waiting: true });
      },
      this.signal,
    );
  }

  #listen(): void {
    const { signal } = this;
    followElement(this.video, this.store, signal, {
      begins: () => this.#noteWaiting(),
      ends: () => {
        this.#cancelSpinner();
        this.#set({ waiting: false });
      },
    });
    const resume = () => this.state.phase === "failed" && this.retry(this.#wantsPlay);
    window.addEventListener("online", resume, { signal });
  }
}
