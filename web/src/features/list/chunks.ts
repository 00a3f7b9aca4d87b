/** Items of a chunk: few, so that drawing one that comes near takes no frame of a slow phone. */
const CHUNK_ITEMS = 12;

/** A run of items that is drawn, or stands as a box of its height, as one. */
export interface Chunk<T> {
  /** Place of the first item in the whole list. */
  readonly start: number;
  readonly items: readonly T[];
}

/** Items of a chunk: whole rows only, or a grid would have holes where chunks meet. */
export function chunkSize(columns: number): number {
  // Wide grids have taller rows: the fewest rows that fill a chunk, never more than the items of a phone's.
  return columns * Math.max(1, Math.floor(CHUNK_ITEMS / columns));
}

/** Cut a list into chunks; the last may be shorter. */
export function chunksOf<T>(items: readonly T[], size: number): readonly Chunk<T>[] {
  const chunks: Chunk<T>[] = [];
  for (let start = 0; start < items.length; start += size) {
    chunks.push({ start, items: items.slice(start, start + size) });
  }
  return chunks;
}

const AD_EVERY = 5;

/**
 * The advertisement above an item of the list layout (specification §2): above items 5, 10, 15, …, cycling.
 *
 * @param index - Place of the item, from 0.
 * @returns Undefined where none stands.
 */
export function adAbove<T>(index: number, ads: readonly T[]): T | undefined {
  const place = index + 1;
  if (place % AD_EVERY !== 0 || ads.length === 0) return undefined;
  return ads[(place / AD_EVERY - 1) % ads.length];
}
