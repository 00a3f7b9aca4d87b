import type Hls from "hls.js";
import type { ErrorData, HlsConfig, Level, MediaPlaylist } from "hls.js";
import { chosenAudio, tagOf } from "./audio-tracks.ts";
import { earlyLoader } from "./early-loader.ts";
import type { Engine, EngineEvents } from "./engine.ts";
import { type FailureReason, reasonForStatus } from "./failure.ts";
import type { Sound } from "./playback-state.ts";
import type { Quality } from "./sources.ts";
import { nextTask } from "./timing.ts";

type HlsClass = typeof Hls;

/**
 * Seconds buffered ahead before the first picture: enough to start, too little to compete with it.
 */
const FIRST_BUFFER_S = 4;
/** Seconds buffered ahead while playing. */
const FULL_BUFFER_S = 30;
/** The last two segments of a video: behind them there is no other to begin with. */
const LAST_SEGMENTS_S = 4;
/** A second media error this soon after a recovery means that recovering does not help. */
const RECOVERY_PAUSE_MS = 5000;

let arriving: Promise<HlsClass> | null = null;
let hasArrived = false;

/** Loads the HLS library's chunk once; a failure is retried at the next call. */
export function loadHls(): Promise<HlsClass> {
  arriving ??= import("hls.js/light").then(
    (module) => {
      hasArrived = true;
      return module.default;
    },
    (error: unknown) => {
      arriving = null;
      throw error;
    },
  );
  return arriving;
}

const CONFIG: Partial<HlsConfig> = {
  // Our segments are fragmented MP4, which need no remuxing: starting a worker costs more than it
  // saves.
  enableWorker: false,
  // Level 0 is the smallest rendition; playback starts with it, then the bandwidth estimate leads
  // up.
  startLevel: 0,
  testBandwidth: false,
  startFragPrefetch: true,
  maxBufferLength: FIRST_BUFFER_S,
  backBufferLength: FULL_BUFFER_S,
  capLevelToPlayerSize: true,
  fragLoadPolicy: {
    default: {
      maxTimeToFirstByteMs: 10_000,
      maxLoadTimeMs: 60_000,
      timeoutRetry: { maxNumRetry: 2, retryDelayMs: 0, maxRetryDelayMs: 0 },
      errorRetry: { maxNumRetry: 4, retryDelayMs: 500, maxRetryDelayMs: 4000 },
    },
  },
};

let spare: Hls | null = null;

/**
 * Makes an engine for the element before a video is chosen: making it and opening its MediaSource
 * would take a slow phone a tenth of a second after the tap.
 */
export async function keepSpareEngine(video: HTMLVideoElement): Promise<void> {
  const HlsClass = await loadHls();
  if (spare || video.src) return;
  spare = makeHls(HlsClass);
  spare.attachMedia(video);
}

/** Frees the element for another engine. */
export function dropSpareEngine(): void {
  spare?.destroy();
  spare = null;
}

function takeSpareEngine(): Hls | null {
  const taken = spare;
  spare = null;
  return taken;
}

function makeHls(HlsClass: HlsClass): Hls {
  return new HlsClass({ ...CONFIG, loader: earlyLoader(HlsClass) });
}

/**
 * Loads the library's full build, for a video with several audio tracks: the light one cannot play
 * sound that lies beside the pictures.
 */
function loadFullHls(): Promise<HlsClass> {
  return import("hls.js").then((module) => module.default);
}

/** HLS through MediaSource. */
export class HlsEngine implements Engine {
  readonly #video: HTMLVideoElement;
  readonly #events: EngineEvents;
  #hls: Hls | null = null;
  #quality: Quality;
  #audio: string;
  #recoveredAt = Number.NEGATIVE_INFINITY;
  #closed = false;
  /** It stands, and shows a picture of the quality before: it is drawn anew once there is another. */
  #isPictureOld = false;

  constructor(
    video: HTMLVideoElement,
    address: string,
    startAt: number,
    quality: Quality,
    events: EngineEvents,
    { audio, hasAudioTracks = false }: Sound = { audio: "" },
  ) {
    this.#video = video;
    this.#quality = quality;
    this.#audio = audio;
    this.#events = events;
    // If the library was loaded before the tap, everything happens at once. If it arrived just now,
    // that was a long task already.
    const pause = hasArrived && !hasAudioTracks ? null : nextTask;
    if (hasAudioTracks) dropSpareEngine();
    this.#load(hasAudioTracks ? loadFullHls() : loadHls(), address, startAt, pause);
  }

  #load(
    library: Promise<HlsClass>,
    address: string,
    startAt: number,
    pause: (() => Promise<void>) | null,
  ): void {
    library.then(
      (HlsClass) => this.#open(HlsClass, address, startAt, pause),
      () => this.#fail("network"),
    );
  }

  setQuality(quality: Quality): void {
    this.#quality = quality;
    if (!this.#hls) return;
    // While it plays, what is buffered behind this segment is fetched anew. Where it stands, or
    // nothing is behind, nothing would be: all of it is.
    const { paused, ended, duration, currentTime } = this.#video;
    if (paused || duration - currentTime < LAST_SEGMENTS_S) {
      this.#hls.currentLevel = this.#levelFor(quality);
      this.#isPictureOld = paused && !ended;
    } else {
      this.#hls.nextLevel = this.#levelFor(quality);
    }
  }

  setAudio(lang: string): void {
    this.#audio = lang;
    const chosen = chosenAudio(this.#hls?.audioTracks ?? [], lang);
    if (this.#hls && chosen >= 0) this.#hls.audioTrack = chosen;
  }

  bufferFully(): void {
    if (this.#hls) this.#hls.config.maxBufferLength = FULL_BUFFER_S;
  }

  close(): void {
    this.#closed = true;
    this.#hls?.destroy();
    this.#hls = null;
  }

  /**
   * @param pause - Runs between the steps so that none of them blocks a touch; null if there is no
   *   time to lose.
   */
  async #open(
    HlsClass: HlsClass,
    address: string,
    startAt: number,
    pause: (() => Promise<void>) | null,
  ): Promise<void> {
    if (pause) await pause();
    if (this.#closed) return;
    const ready = takeSpareEngine();
    const hls = ready ?? makeHls(HlsClass);
    hls.config.startPosition = startAt > 0 ? startAt : -1;
    this.#hls = hls;
    const { Events } = HlsClass;
    hls.on(Events.ERROR, (_, data) => this.#onError(HlsClass, data));
    hls.on(Events.LEVEL_SWITCHED, (_, { level }) =>
      this.#events.onHeight(shortSide(hls.levels[level])),
    );
    hls.once(Events.MANIFEST_PARSED, (_, { audioTracks, altAudio }) => {
      if (altAudio) this.#prefer(hls, audioTracks);
      // A tile does not know of its tracks; the playlist says so.
      else if (audioTracks.some((track) => track.url)) this.#turnToFull(hls, address, startAt);
    });
    hls.on(Events.AUDIO_TRACK_SWITCHED, (_, track) => this.#events.onAudio?.(tagOf(track)));
    hls.once(Events.FRAG_BUFFERED, () => {
      // A pinned quality waits for the small first segment, so that the first picture comes as
      // early as ever.
      if (this.#quality !== "auto") hls.loadLevel = this.#levelFor(this.#quality);
    });
    hls.on(Events.FRAG_BUFFERED, () => this.#redraw());
    // From some errors the library recovers by itself.
    hls.on(Events.MEDIA_DETACHED, () =>
      hls.once(Events.MEDIA_ATTACHED, () => this.#events.onRecovered()),
    );
    if (pause) await pause();
    if (this.#closed) return;
    hls.loadSource(address);
    if (pause) await pause();
    if (this.#closed) return;
    if (!ready) hls.attachMedia(this.#video);
    this.#events.onAttached();
  }

  /** Begins with the track in the language that was chosen last. */
  #prefer(hls: Hls, tracks: readonly MediaPlaylist[]): void {
    const track = tracks[chosenAudio(tracks, this.#audio)];
    if (track) hls.config.audioPreference = { name: track.name };
  }

  #turnToFull(light: Hls, address: string, startAt: number): void {
    light.destroy();
    this.#hls = null;
    this.#load(loadFullHls(), address, startAt, nextTask);
  }

  #redraw(): void {
    const { paused, currentTime } = this.#video;
    if (this.#isPictureOld && paused) this.#video.currentTime = currentTime;
    this.#isPictureOld = false;
  }

  #levelFor(quality: Quality): number {
    return quality === "auto"
      ? -1
      : (this.#hls?.levels.findIndex((level) => shortSide(level) === quality) ?? -1);
  }

  #onError(HlsClass: HlsClass, data: ErrorData): void {
    const { ErrorTypes } = HlsClass;
    if (data.type === ErrorTypes.NETWORK_ERROR && isRefusal(data)) return this.#fail("forbidden");
    if (!data.fatal) return;
    if (data.type === ErrorTypes.NETWORK_ERROR) {
      this.#fail(reasonForStatus(data.response?.code ?? 0, navigator.onLine));
    } else if (
      data.type === ErrorTypes.MEDIA_ERROR &&
      performance.now() - this.#recoveredAt > RECOVERY_PAUSE_MS
    ) {
      this.#recoveredAt = performance.now();
      const at = this.#video.currentTime || this.#hls?.config.startPosition;
      this.#hls?.recoverMediaError();
      // A fatal error has stopped all loading; by itself it would begin where the film was begun.
      this.#hls?.startLoad(at);
    } else {
      this.#fail("decode");
    }
  }

  #fail(reason: FailureReason): void {
    if (!this.#closed) this.#events.onFailure(reason);
  }
}

/** No other rendition and no retry helps once the signature has expired. */
function isRefusal({ response }: ErrorData): boolean {
  return response?.code === 401 || response?.code === 403;
}

function shortSide(level: Level | undefined): number {
  return level ? Math.min(level.width, level.height) : 0;
}
