import { type Entry, isFresh, queryCache, SITE_FRESH_MS } from "./query-cache.ts";

/** Keys that are being renewed: a visitor may come and go faster than an answer. */
const underway = new Set<string>();

/**
 * From now on, what the site shares is requested again where it is shown and no longer fresh, when
 * the visitor comes back to the page, perhaps after a day; called once.
 */
export function renewOnReturn(): void {
  const renew = () => {
    if (document.visibilityState === "hidden") return;
    for (const [key, entry] of queryCache.entries) {
      const { freshMs, load, observers, request } = entry;
      const isShared = freshMs >= SITE_FRESH_MS && observers.size > 0;
      if (isShared && load && !request && !isFresh(entry)) void renewEntry(key, entry, load);
    }
  };
  document.addEventListener("visibilitychange", renew);
  // A phone that wakes up shows the page before it has a network.
  window.addEventListener("online", renew);
}

/**
 * What is shown stays until the response arrives, and a failure changes nothing. Nor does a
 * response that comes after something else has asked, answered or invalidated meanwhile.
 */
async function renewEntry(key: string, entry: Entry, load: () => Promise<unknown>): Promise<void> {
  if (underway.has(key)) return;
  underway.add(key);
  const { state, respondedAt } = entry;
  try {
    const response = await load();
    if (entry.state === state && entry.respondedAt === respondedAt) queryCache.set(key, response);
  } catch (error) {
    console.warn(error);
  } finally {
    underway.delete(key);
  }
}
