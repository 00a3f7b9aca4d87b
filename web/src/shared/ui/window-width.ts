import { useSyncExternalStore } from "react";

// Kept: asked for at every drawing, the window's own would have the browser lay out the page each
// time.
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
 * What a component makes of the window's width, kept up to date.
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
