/** Items per group: far from the window it is one box without any row in the document. */
const GROUP_ITEMS = 40;

/** A run of items that follow one another. */
export interface Chunk<T> {
  /** Place of the first item in the whole list. */
  readonly start: number;
  readonly items: readonly T[];
}

/** Items per group: whole rows only, or a grid would have gaps between groups. */
export function groupSize(columns: number): number {
  return columns * Math.max(1, Math.floor(GROUP_ITEMS / columns));
}

/** Cut a list into chunks; the last may be shorter. */
export function chunksOf<T>(items: readonly T[], size: number, first = 0): readonly Chunk<T>[] {
  const chunks: Chunk<T>[] = [];
  for (let start = 0; start < items.length; start += size) {
    chunks.push({ start: first + start, items: items.slice(start, start + size) });
  }
  return chunks;
}

/**
 * Cuts a growing list: a chunk with the same items stays the same object, so that it need not be
 * rendered again.
 */
export function steadyCutter<T>(): (
  items: readonly T[],
  size: number,
  first?: number,
) => readonly Chunk<T>[] {
  let before: readonly Chunk<T>[] = [];
  return (items, size, first = 0) => {
    before = chunksOf(items, size, first).map((chunk, index) => {
      const old = before[index];
      const isSame =
        old?.items.length === chunk.items.length &&
        old.items.every((item, at) => item === chunk.items[at]);
      return isSame && old.start === chunk.start ? old : chunk;
    });
    return before;
  };
}

/** Number of items between advertisements in the list layout (specification §9). */
export const AD_EVERY = 5;

/**
 * The advertisement above an item of the list layout (specification §2): above items 5, 10, 15, …,
 * cycling.
 *
 * @param index - Place of the item, from 0.
 * @returns Undefined where none stands.
 */
export function adAbove<T>(index: number, ads: readonly T[]): T | undefined {
  const place = index + 1;
  if (place % AD_EVERY !== 0 || ads.length === 0) return undefined;
  return ads[(place / AD_EVERY - 1) % ads.length];
}
