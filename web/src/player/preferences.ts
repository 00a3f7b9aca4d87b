import { isRecord } from "@/shared/storage/parsers.ts";
import { read, type StorageEntry, write } from "@/shared/storage/registry.ts";
import {
  POSITIONS_CAP,
  type Position,
  parsePositions,
  rememberPosition,
  resumeAt,
} from "./positions.ts";
import { RATES } from "./rates.ts";
import type { Quality } from "./sources.ts";

/** What a viewer chose and every later video uses. */
export interface PlayerPreferences {
  readonly rate: number;
  readonly quality: Quality;
  /** Language of the subtitles, a BCP 47 tag; empty without. */
  readonly subtitles: string;
  /** Language of the sound, a BCP 47 tag; empty for each film's default. */
  readonly audio: string;
}

const POSITIONS: StorageEntry<readonly Position[]> = {
  key: "player-positions",
  area: "local",
  parse: (text) => parsePositions(JSON.parse(text)),
  format: (positions) => JSON.stringify(positions.slice(0, POSITIONS_CAP)),
  initial: [],
};

const PREFERENCES: StorageEntry<PlayerPreferences> = {
  key: "player-preferences",
  area: "local",
  parse: (text) => parsePreferences(JSON.parse(text)),
  format: JSON.stringify,
  initial: { rate: 1, quality: "auto", subtitles: "", audio: "" },
};

/** Reads stored preferences; a value that is no longer on offer falls back to the default. */
export function parsePreferences(raw: unknown): PlayerPreferences {
  if (!isRecord(raw)) return PREFERENCES.initial;
  const { rate, quality, subtitles, audio } = raw;
  return {
    rate: RATES.find((offered) => offered === rate) ?? PREFERENCES.initial.rate,
    quality:
      Number.isSafeInteger(quality) && (quality as number) > 0 ? (quality as number) : "auto",
    subtitles: tagFrom(subtitles),
    audio: tagFrom(audio),
  };
}

function tagFrom(raw: unknown): string {
  return typeof raw === "string" && /^[\w-]{1,35}$/.test(raw) ? raw : "";
}

export function playerPreferences(): PlayerPreferences {
  return read(PREFERENCES);
}

export function changePreferences(part: Partial<PlayerPreferences>): void {
  write(PREFERENCES, { ...read(PREFERENCES), ...part });
}

/** Seconds into the video where this device left it. */
export function storedPosition(id: number, durationS: number): number {
  return resumeAt(read(POSITIONS), id, durationS);
}

/**
 * Stores where a video was left; times are in seconds, except `now`, which is in ms since the
 * epoch.
 */
export function storePosition(id: number, at: number, durationS: number, now: number): void {
  write(POSITIONS, rememberPosition(read(POSITIONS), id, at, durationS, now));
}
