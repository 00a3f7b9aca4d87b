import { useLayoutEffect } from "react";

/** How many views want each class. */
const wanted = new Map<string, number>();

function want(name: string, more: 1 | -1): void {
  const count = (wanted.get(name) ?? 0) + more;
  wanted.set(name, count);
  document.documentElement.classList.toggle(name, count > 0);
}

/**
 * Gives the document a class as long as the view is shown. A selector such as `html:has(.view)`
 * would say the same, but the browser would ask itself about it at each element that comes or goes:
 * in a long list, in each frame.
 */
export function usePageClass(name: string): void {
  useLayoutEffect(() => {
    want(name, 1);
    return () => want(name, -1);
  }, [name]);
}
