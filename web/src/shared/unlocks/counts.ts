import { SHARE_VIDEOS, type ShareCount } from "@/shared/storage/entries.ts";
import { read, write } from "@/shared/storage/registry.ts";

/**
 * A list with one video's count; the most recently changed video is first, so that the oldest drop
 * off the end.
 */
export function withCount(
  list: readonly ShareCount[],
  id: string,
  count: number,
): readonly ShareCount[] {
  const known = list.find((entry) => entry.id === id);
  if (known?.count === count) return list;
  return [{ id, count }, ...list.filter((entry) => entry.id !== id)];
}

/** A list according to the server: its counts, in the stored order; new ones first. */
export function withServersCounts(
  list: readonly ShareCount[],
  counts: readonly ShareCount[],
): readonly ShareCount[] {
  const byId = new Map(counts.map((entry) => [entry.id, entry]));
  const known = list.flatMap(({ id }) => byId.get(id) ?? []);
  const isKnown = new Set(known.map(({ id }) => id));
  return [...counts.filter(({ id }) => !isKnown.has(id)), ...known];
}

/** Record how many friends have opened the link of a video; every lock follows. */
export function recordCount(id: number, count: number): void {
  keep(withCount(read(SHARE_VIDEOS), String(id), count));
}

/** Take over the server's counts. */
export function recordServersCounts(counts: readonly ShareCount[]): void {
  keep(withServersCounts(read(SHARE_VIDEOS), counts));
}

function keep(list: readonly ShareCount[]): void {
  if (SHARE_VIDEOS.format(list) !== SHARE_VIDEOS.format(read(SHARE_VIDEOS)))
    write(SHARE_VIDEOS, list);
}
