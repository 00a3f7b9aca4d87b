import type { FailureReason, PlaybackFailure } from "./failure.ts";
import type { PlaySource, Quality } from "./sources.ts";

/** What the skin draws. Times are seconds, heights px of the picture's short side. */
export interface PlaybackState {
  phase: "loading" | "ready" | "ended" | "failed" | "disposed";
  /** A picture of the video itself has been on screen; until then the poster covers it. */
  started: boolean;
  playing: boolean;
  /** The viewer wants playback, and data are late. */
  waiting: boolean;
  /** The browser refused to start by itself: only a press helps. */
  refused: boolean;
  time: number;
  duration: number;
  buffered: number;
  rate: number;
  holding: boolean;
  volume: number;
  muted: boolean;
  quality: Quality;
  /** The displayed rendition; 0 until known. */
  height: number;
  /** The audio track that plays, of several; empty until known. */
  audio: string;
  failure: PlaybackFailure | null;
}

/** Addresses that expire, and how to renew them. */
export interface Renewal {
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly renew: () => Promise<{
    readonly sources: readonly PlaySource[];
    readonly expiresAt: number;
  }>;
}

/**
 * Whether a signature is over. WebKit does not say why a request failed: there the clock tells.
 */
export function hasExpired({ expiresAt }: Renewal, reason: FailureReason): boolean {
  return reason === "forbidden" || Date.now() >= expiresAt;
}

/** Which sound to play, of a video that has several. */
export interface Sound {
  /** The audio track that was chosen last (`AudioTrack.lang`); empty for the film's default. */
  readonly audio: string;
  /** Whether there are several, where that is known before. */
  readonly hasAudioTracks?: boolean;
}

/** What to play. `startAt` is in seconds. */
export interface PlayOrder extends Sound {
  id: number;
  sources: readonly PlaySource[];
  startAt: number;
  duration: number;
  rate: number;
  quality: Quality;
  /** For signed addresses; absent if they never expire. */
  renewal?: Renewal;
}

/** The state of a session that has just been made. */
export function stateAtStart(order: PlayOrder, { volume, muted }: HTMLVideoElement): PlaybackState {
  return {
    phase: "loading",
    started: false,
    playing: false,
    waiting: false,
    refused: false,
    time: order.startAt,
    duration: order.duration,
    buffered: 0,
    rate: order.rate,
    holding: false,
    volume,
    muted,
    quality: order.quality,
    height: 0,
    audio: "",
    failure: null,
  };
}
