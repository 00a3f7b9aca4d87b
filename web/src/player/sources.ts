import type { FailureReason } from "./failure.ts";

/**
 * One way to play a video (`PlayInfo.sources`). `height` is the short side in px, 0 for the master
 * playlist.
 */
export interface PlaySource {
  type: "application/vnd.apple.mpegurl" | "video/mp4";
  url: string;
  label: string;
  height: number;
  /** Bits a second; 0 where unknown. */
  bandwidth: number;
}

/** What plays the picture: hls.js over MediaSource, the browser's own HLS, or a plain file. */
export type EngineKind = "hls" | "native" | "file";

/** What this browser can do. */
export interface PlaybackAbilities {
  mediaSource: boolean;
  nativeHls: boolean;
  /**
   * WebKit's own HLS is better than ours: it supports AirPlay, the system's full screen, and saves
   * battery.
   */
  webkit: boolean;
}

/** The quality a viewer asked for: the short side in px, or left to the network. */
export type Quality = number | "auto";

/** A choice in the quality menu. `bytes` estimates the whole video, 0 where unknown. */
export interface QualityChoice {
  quality: Quality;
  label: string;
  bytes: number;
}

const HLS_TYPE = "application/vnd.apple.mpegurl";

let detected: PlaybackAbilities | null = null;

/**
 * Detects the running browser's abilities once: the queries cost milliseconds that a tap does not
 * have.
 */
export function detectAbilities(): PlaybackAbilities {
  detected ??= {
    mediaSource:
      typeof MediaSource !== "undefined" &&
      MediaSource.isTypeSupported('video/mp4; codecs="avc1.42E01E,mp4a.40.2"'),
    nativeHls: document.createElement("video").canPlayType(HLS_TYPE) !== "",
    webkit: "GestureEvent" in window,
  };
  return detected;
}

/** The engine for `sources`, or null when this browser can play none of them. */
export function chooseEngine(
  sources: readonly PlaySource[],
  abilities: PlaybackAbilities,
): EngineKind | null {
  const hasHls = sources.some((source) => source.type === HLS_TYPE);
  if (hasHls && abilities.nativeHls && (abilities.webkit || !abilities.mediaSource))
    return "native";
  if (hasHls && abilities.mediaSource) return "hls";
  return sources.some((source) => source.type === "video/mp4") ? "file" : null;
}

/**
 * The progressive file to continue with after HLS has failed; null if it would not help or does not
 * exist.
 */
export function fileAfterFailure(
  sources: readonly PlaySource[],
  reason: FailureReason,
): PlaySource | null {
  if (reason !== "decode" && reason !== "unsupported") return null;
  return sources.find((source) => source.type === "video/mp4") ?? null;
}

/**
 * The address that `engine` opens for `quality`. hls.js always opens the master playlist and
 * switches inside it; the browser's own player is given a rendition when one is asked for.
 */
export function addressFor(
  engine: EngineKind,
  sources: readonly PlaySource[],
  quality: Quality,
): string | null {
  const type = engine === "file" ? "video/mp4" : HLS_TYPE;
  const fitting = sources.filter((source) => source.type === type);
  const chosen =
    engine === "native" &&
    quality !== "auto" &&
    fitting.find((source) => source.height === quality);
  return (chosen || fitting[0])?.url ?? null;
}

/** The quality menu: 自动, then the renditions from the largest down. */
export function qualityChoices(sources: readonly PlaySource[], durationS: number): QualityChoice[] {
  const renditions = sources
    .filter((source) => source.type === HLS_TYPE && source.height > 0)
    .sort((a, b) => b.height - a.height)
    .map((source) => ({
      quality: source.height,
      label: source.label,
      bytes: Math.round((source.bandwidth * durationS) / 8),
    }));
  return renditions.length === 0
    ? []
    : [{ quality: "auto", label: "自动", bytes: 0 }, ...renditions];
}
