/** Where a video was left: video id, seconds in, and when that was (ms since the epoch). */
export interface Position {
  id: number;
  at: number;
  savedAt: number;
}

/** Number of videos whose positions are stored. */
export const POSITIONS_CAP = 100;
/** Less than this is not worth resuming. */
const TOO_EARLY_S = 5;
/** The last part of a video that counts as watched: 5 %, but at least so many seconds. */
const TAIL_S = 3;
const TAIL_SHARE = 0.05;

/** Where playback of a video of `durationS` seconds should start, in seconds. */
export function resumeAt(positions: readonly Position[], id: number, durationS: number): number {
  const left = positions.find((position) => position.id === id)?.at ?? 0;
  return isWorthResuming(left, durationS) ? left : 0;
}

/**
 * The list after `id` was left at `at` seconds: newest first, one entry per video, at most {@link
 * POSITIONS_CAP}.
 */
export function rememberPosition(
  positions: readonly Position[],
  id: number,
  at: number,
  durationS: number,
  now: number,
): Position[] {
  const others = positions.filter((position) => position.id !== id);
  if (!isWorthResuming(at, durationS)) return others;
  return [{ id, at: Math.round(at * 10) / 10, savedAt: now }, ...others].slice(0, POSITIONS_CAP);
}

/** Reads what storage holds; anything that is not a position is dropped. */
export function parsePositions(raw: unknown): Position[] {
  if (!Array.isArray(raw)) return [];
  return raw.filter(isPosition).slice(0, POSITIONS_CAP);
}

function isWorthResuming(at: number, durationS: number): boolean {
  return at >= TOO_EARLY_S && at <= durationS - Math.max(TAIL_S, durationS * TAIL_SHARE);
}

function isPosition(entry: unknown): entry is Position {
  if (typeof entry !== "object" || entry === null) return false;
  const { id, at, savedAt } = entry as Record<string, unknown>;
  return Number.isSafeInteger(id) && isTime(at) && isTime(savedAt);
}

function isTime(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
