import { whenIdle } from "@/shared/when-idle.ts";

/**
 * How far from the screen a picture begins to load: half a phone's screen. Until then its ThumbHash
 * stands there.
 */
const MARGIN = "400px 200px";

const callbacks = new WeakMap<Element, () => void>();
let observer: IntersectionObserver | undefined;

function createObserver(): IntersectionObserver {
  return new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        callbacks.get(target)?.();
        stopWatching(target);
      }
    },
    { rootMargin: MARGIN },
  );
}

/** Elements from before the first idle moment: the first screen's pictures go first. */
const early = new Set<Element>();

function startWhenQuiet(element: Element): void {
  early.add(element);
  if (early.size > 1) return;
  whenIdle(() => {
    const started = createObserver();
    for (const each of early) if (callbacks.has(each)) started.observe(each);
    observer = started;
    early.clear();
  });
}

function stopWatching(element: Element): void {
  callbacks.delete(element);
  observer?.unobserve(element);
}

/**
 * Call back once, when the element comes near the screen.
 *
 * @returns A function that ends the watch.
 */
export function whenNear(element: Element, callback: () => void): () => void {
  callbacks.set(element, callback);
  if (observer) observer.observe(element);
  else startWhenQuiet(element);
  return () => stopWatching(element);
}
