import { type RefObject, useEffect, useState } from "react";

/** Part of a short that must be on the screen for it to be the active one. */
const MOST_OF_IT = 0.6;

/**
 * Id of the short that fills the feed; null before the first is known.
 *
 * @param count - Number of shorts in the feed: those that arrive are watched too.
 */
export function useActiveShort(feed: RefObject<HTMLElement | null>, count: number): number | null {
  const [active, setActive] = useState<number | null>(null);
  useEffect(() => {
    const root = feed.current;
    if (!root || count === 0) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.findLast(({ isIntersecting }) => isIntersecting);
        if (entry?.target instanceof HTMLElement) setActive(Number(entry.target.dataset.id));
      },
      { root, threshold: MOST_OF_IT },
    );
    for (const short of root.querySelectorAll(":scope > .short")) observer.observe(short);
    return () => observer.disconnect();
  }, [feed, count]);
  return active;
}
