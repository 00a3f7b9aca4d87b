import { isFresh, queryCache, SITE_FRESH_MS } from "./query-cache.ts";

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
      if (isShared && load && !request && !isFresh(entry)) void renewEntry(key, load);
    }
  };
  document.addEventListener("visibilitychange", renew);
  // A phone that wakes up shows the page before it has a network.
  window.addEventListener("online", renew);
}

/** What is shown stays until the response arrives, and a failure changes nothing. */
async function renewEntry(key: string, load: () => Promise<unknown>): Promise<void> {
  if (underway.has(key)) return;
  underway.add(key);
  try {
    queryCache.set(key, await load());
  } catch (error) {
    console.warn(error);
  } finally {
    underway.delete(key);
  }
}
