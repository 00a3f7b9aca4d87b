import type { Video } from "@/shared/api/model.ts";
import { isRecord } from "@/shared/storage/parsers.ts";
import { HISTORY_CAP } from "@/shared/storage/screen-entries.ts";
import { parseVideo, videoToWire } from "@/shared/storage/stored-video.ts";

/** What a visitor exports: never the data code, which is a key. */
export interface Backup {
  /** Ids of the favourited videos, the newest first. */
  readonly favourites: readonly number[];
  /** The newest first. */
  readonly history: readonly Video[];
}

/** Marks the file as one of ours; another version is not read. */
const FORMAT = "liuying-backup";
const VERSION = 1;

/** Largest file that is read, bytes, and most favourites in one: as many as the server keeps. */
export const BACKUP_BYTES = 2_000_000;
export const BACKUP_FAVOURITES = 10_000;

/** The file's text. */
export function formatBackup({ favourites, history }: Backup, now: Date): string {
  const content = {
    format: FORMAT,
    version: VERSION,
    exported_at: now.toISOString(),
    favourites: favourites.slice(0, BACKUP_FAVOURITES),
    history: history.slice(0, HISTORY_CAP).map(videoToWire),
  };
  return `${JSON.stringify(content, null, 1)}\n`;
}

/**
 * The contents of a file. Invalid entries are left out, and of two about one video the first stays.
 *
 * @returns Null for a file that is not ours.
 */
export function parseBackup(text: string): Backup | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(value) || value.format !== FORMAT || value.version !== VERSION) return null;
  const favourites = Array.isArray(value.favourites) ? value.favourites.filter(isVideoId) : [];
  const videos = Array.isArray(value.history)
    ? value.history.flatMap((item: unknown) => parseVideo(item) ?? [])
    : [];
  const history = new Map<number, Video>();
  for (const video of videos)
    if (isVideoId(video.id) && !history.has(video.id)) history.set(video.id, video);
  return {
    favourites: [...new Set(favourites)].slice(0, BACKUP_FAVOURITES),
    history: [...history.values()].slice(0, HISTORY_CAP),
  };
}

/** Largest id that the server knows. */
const LARGEST_ID = 2 ** 31 - 1;

function isVideoId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= LARGEST_ID;
}

/**
 * The device's history with that of a file behind it; a video that is in both stays where the
 * device has it.
 */
export function mergeHistory(own: readonly Video[], brought: readonly Video[]): readonly Video[] {
  const known = new Set(own.map(({ id }) => id));
  return [...own, ...brought.filter(({ id }) => !known.has(id))].slice(0, HISTORY_CAP);
}
