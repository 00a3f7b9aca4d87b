/** Cached entries and their order of use. */
export interface LruCache<T> {
  /** In the order of the first visit: a screen's place in the document never changes. */
  readonly entries: readonly { readonly key: string; readonly value: T }[];
  /** Keys, the least recently used first. */
  readonly recency: readonly string[];
}

export const EMPTY_CACHE: LruCache<never> = { entries: [], recency: [] };

/**
 * Use a key: it is added or updated, and becomes the most recent. Beyond the limit, the least
 * recently used entries go; so do entries that may not be cached, except the one in use.
 *
 * @param limit - Most entries, at least 1.
 * @param mayKeep - Whether an entry may stay when another is used.
 */
export function touch<T>(
  cache: LruCache<T>,
  key: string,
  value: T,
  limit: number,
  mayKeep: (value: T) => boolean,
): LruCache<T> {
  const isKnown = cache.entries.some((entry) => entry.key === key);
  const entries = isKnown
    ? cache.entries.map((entry) => (entry.key === key ? { key, value } : entry))
    : [...cache.entries, { key, value }];
  const staying = new Set(
    entries.filter((entry) => entry.key === key || mayKeep(entry.value)).map((entry) => entry.key),
  );
  const recency = [
    ...cache.recency.filter((other) => other !== key && staying.has(other)),
    key,
  ].slice(-limit);
  return { entries: entries.filter((entry) => recency.includes(entry.key)), recency };
}
