import { useLayoutEffect } from "react";

/** Number of views that want each class. */
const wanted = new Map<string, number>();

function want(name: string, more: 1 | -1): void {
  const count = (wanted.get(name) ?? 0) + more;
  wanted.set(name, count);
  document.documentElement.classList.toggle(name, count > 0);
}

/**
 * Gives the document a class as long as the view is shown. A selector such as `html:has(.view)`
 * would do the same, but the browser would evaluate it for every element that comes or goes: in a
 * long list, in every frame.
 */
export function usePageClass(name: string): void {
  useLayoutEffect(() => {
    want(name, 1);
    return () => want(name, -1);
  }, [name]);
}
