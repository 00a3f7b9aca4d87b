import { useSyncExternalStore } from "react";

// Cached: asking the window at every rendering would make the browser lay out the page each time.
let width: number | null = null;

function subscribe(listener: () => void): () => void {
  const look = () => {
    width = window.innerWidth;
    listener();
  };
  // Nobody may have listened until now.
  width = null;
  window.addEventListener("resize", look);
  return () => {
    window.removeEventListener("resize", look);
    width = null;
  };
}

/**
 * A value derived from the window's width, kept up to date.
 *
 * @param classify - From a width in CSS pixels; the component is drawn again when what it returns
 *   changes.
 * @param unknown - Where there is no window.
 */
export function useWindowWidth<T extends string | number>(
  classify: (width: number) => T,
  unknown: T,
): T {
  const now = () => {
    width ??= window.innerWidth;
    return classify(width);
  };
  return useSyncExternalStore(subscribe, now, () => unknown);
}
