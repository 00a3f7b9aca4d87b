import type { ShareCount } from "@/shared/storage/entries.ts";

/** Visits that unlock a share video (specification §9). */
export const UNLOCK_COUNT = 2;

/** The progress of a share video: visits counted so far, and whether it may be played. */
export interface UnlockProgress {
  readonly count: number;
  readonly isUnlocked: boolean;
}

/** The stored progress of a video; a locked one without an entry stands at 0 (specification §4). */
export function progressOf(
  id: number,
  isLocked: boolean,
  counts: readonly ShareCount[],
): UnlockProgress {
  const count = Math.min(UNLOCK_COUNT, counts.find((entry) => entry.id === String(id))?.count ?? 0);
  return { count, isUnlocked: !isLocked || count >= UNLOCK_COUNT };
}
