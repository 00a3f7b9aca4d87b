/** How far from the screen a picture begins to load: about one and a half screens of a phone. */
const MARGIN = "900px 400px";

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
  observer ??= createObserver();
  callbacks.set(element, callback);
  observer.observe(element);
  return () => stopWatching(element);
}
