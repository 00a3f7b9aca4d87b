"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.

import { type PointerEventHandler, type RefObject, useEffect, useRef, useState } from "react";

/** How long a slide stands, in milliseconds (specification §9). */
export const AUTOPLAY_MS = 4000;

interface Carousel {
  readonly strip: RefObject<HTMLDivElement | null>;
  /** Place of the slide that is shown. */
  readonly index: number;
  /** Move to a slide; past either end the other end follows. */
  readonly go: (index: number) => void;
  /**
   * Handlers of the element: a pointer over it or focus inside pauses the movement, a touch stops
   * it.
   */
  readonly pauses: {
    readonly onPointerDown: () => void;
    readonly onPointerEnter: PointerEventHandler;
    readonly onPointerLeave: PointerEventHandler;
    readonly onFocus: () => void;
    readonly onBlur: () => void;
  };
}

const stillness = "(prefers-reduced-motion: reduce)";

/** Indices wrap around: after the last comes the first. */
export function wrapIndex(index: number, count: number): number {
  return ((index % count) + count) % count;
}

/**
 * A snapping strip of slides. It moves by itself unless the pointer or focus is on it, the page is
 * hidden, or the visitor prefers reduced motion. After a touch it only moves by hand.
 *
 * @param count - Number of slides.
 * @param onShow - Called with the place of a slide that came into view.
 */
export function useCarousel(count: number, onShow: (index: number) => void): Carousel {
  const strip = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(0);
  const [isPaused, setPaused] = useState(false);
  const [isTouched, setTouched] = useState(false);
  const index = Math.min(shown, Math.max(0, count - 1));

  useEffect(() => {
    const element = strip.current;
    if (!element) return;
    const update = () => {
      const width = (element.firstElementChild as HTMLElement | null)?.offsetWidth ?? 0;
      if (width > 0) setShown(Math.min(count - 1, Math.round(element.scrollLeft / width)));
    };
    element.addEventListener("scroll", update, { passive: true });
    return () => element.removeEventListener("scroll", update);
  }, [count]);

  useEffect(() => onShow(index), [onShow, index]);

  const go = (target: number) => {
    const slide = strip.current?.children[wrapIndex(target, count)] as HTMLElement | undefined;
    const behavior = window.matchMedia(stillness).matches ? "instant" : "smooth";
    if (slide)
      strip.current?.scrollTo({
        left: slide.offsetLeft - (strip.current.firstElementChild as HTMLElement).offsetLeft,
        behavior,
      });
  };

  useEffect(() => {
    if (isPaused || isTouched || count < 2 || window.matchMedia(stillness).matches) return;
    const timer = setInterval(() => {
      if (!document.hidden) go(index + 1);
    }, AUTOPLAY_MS);
    return () => clearInterval(timer);
  });

  const pauses = {
    onPointerDown: () => setTouched(true),
    onPointerEnter: () => setPaused(true),
    onPointerLeave: () => setPaused(false),
    onFocus: () => setPaused(true),
    onBlur: () => setPaused(false),
  };
  return { strip, index, go, pauses };
}
