import type { PlaybackState } from "@/player/playback-state.ts";
import type { Diagnostics } from "@/shared/api/personal-calls.ts";

/**
 * What the form says about the diagnostics before the visitor agrees; {@link collectDiagnostics}
 * sends nothing else.
 */
export const DIAGNOSTICS_TEXT = "播放位置、画质与缓冲，网络状况，浏览器型号、屏幕尺寸和站点版本";

/** Maximum length of one value: a browser's name may be of any length. */
const MAX_VALUE_LENGTH = 300;

/** The part of the Network Information API that some browsers have. */
interface Connection {
  readonly effectiveType?: unknown;
  readonly downlink?: unknown;
  readonly rtt?: unknown;
  readonly saveData?: unknown;
}

/** The sources of the report. */
export interface Surroundings {
  readonly userAgent: string;
  readonly isOnline: boolean;
  readonly connection: Connection | undefined;
  /** CSS pixels and their density. */
  readonly width: number;
  readonly height: number;
  readonly density: number;
  readonly version: string;
}

/** The running browser. */
export function surroundingsNow(version: string): Surroundings {
  return {
    userAgent: navigator.userAgent,
    isOnline: navigator.onLine,
    connection: (navigator as { connection?: Connection }).connection,
    width: window.innerWidth,
    height: window.innerHeight,
    density: window.devicePixelRatio,
    version,
  };
}

function plain(value: unknown): string | number | boolean | null {
  if (typeof value === "string") return value.slice(0, MAX_VALUE_LENGTH);
  if (typeof value === "number")
    return Number.isFinite(value) ? Math.round(value * 100) / 100 : null;
  return typeof value === "boolean" ? value : null;
}

/** Helpful facts about a fault as flat values; nothing identifies the visitor. */
export function collectDiagnostics(
  from: Surroundings,
  playback: PlaybackState | null,
): Diagnostics {
  const site = {
    version: from.version,
    browser: from.userAgent,
    screen: `${from.width}x${from.height}@${plain(from.density)}`,
    online: from.isOnline,
    network: from.connection?.effectiveType,
    downlink: from.connection?.downlink,
    round_trip: from.connection?.rtt,
    save_data: from.connection?.saveData,
  };
  const playing = playback && {
    position: playback.time,
    duration: playback.duration,
    buffered: playback.buffered,
    quality: playback.quality,
    height: playback.height,
    rate: playback.rate,
    phase: playback.phase,
    waiting: playback.waiting,
    failure: playback.failure?.reason,
  };
  return Object.fromEntries(
    Object.entries({ ...site, ...playing }).map(([name, value]) => [name, plain(value)]),
  );
}
