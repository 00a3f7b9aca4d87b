/** Videos of one batch, and batches of one pool (specification §9, docs/product.md#operator). */
export const BATCH_SIZE = 4;
export const BATCHES = 3;

/** Which batch of which pool is shown. */
export interface BatchPlace {
  readonly seed: number;
  /** From 0. */
  readonly batch: number;
}

/**
 * The batches that a pool holds: full ones, at most {@link BATCHES}; a smaller pool is one batch.
 */
export function batchesOf<T>(pool: readonly T[]): readonly (readonly T[])[] {
  const full = Math.min(BATCHES, Math.floor(pool.length / BATCH_SIZE));
  if (full === 0) return [pool];
  return Array.from({ length: full }, (_, index) =>
    pool.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
  );
}

/** Where the next press on 换一批 leads: the next batch; after the last one the next pool. */
export function nextPlace(place: BatchPlace, batches: number, nextSeed: number): BatchPlace {
  return place.batch + 1 < batches
    ? { seed: place.seed, batch: place.batch + 1 }
    : { seed: nextSeed, batch: 0 };
}
