import { type RefObject, useLayoutEffect, useRef } from "react";

/** How long an item moves to its new place, milliseconds. */
const MOVE_MS = 200;
const EASE = "cubic-bezier(.2, .8, .2, 1)";

/**
 * Let the items inside an element glide to their new places when their number changes. Items are
 * identified by `data-id`; the element must be positioned, with no positioned element between it
 * and them.
 *
 * @param count - Number of children; a change of it is what moves them.
 */
export function useFlip(container: RefObject<HTMLElement | null>, count: number): void {
  const places = useRef(new Map<string, { left: number; top: number }>());
  // Runs after every rendering: positions are only valid until the next scroll or resize,
  // differences inside the list always are.
  useLayoutEffect(() => {
    const element = container.current;
    if (!element) return;
    const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const next = new Map<string, { left: number; top: number }>();
    for (const child of element.querySelectorAll<HTMLElement>("[data-id]")) {
      const place = { left: child.offsetLeft, top: child.offsetTop };
      const id = child.dataset.id ?? "";
      const former = places.current.get(id);
      next.set(id, place);
      if (!former || isStill || (former.left === place.left && former.top === place.top)) continue;
      const from = `${former.left - place.left}px ${former.top - place.top}px`;
      child.animate([{ translate: from }, { translate: "0px 0px" }], {
        duration: MOVE_MS,
        easing: EASE,
      });
    }
    places.current = next;
  }, [container, count]);
}
