/**
 * Answers from inside the document, by path and query; each serves the first call that asks for it.
 */
const inlined = new Map<string, unknown>();

/** A visitor who navigates back may get a document that the browser has cached for hours. */
function isCachedDocument(): boolean {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return entry?.type === "back_forward";
}

/** Called once at the start. */
export function cacheInlined(answers: Readonly<Record<string, unknown>>): void {
  if (!isCachedDocument())
    for (const [address, rescont] of Object.entries(answers)) inlined.set(address, rescont);
}

/** The answer's `rescont`; undefined if there is none, or it has been used. */
export function takeInlined(address: string): unknown {
  const rescont = inlined.get(address);
  inlined.delete(address);
  return rescont;
}
