import { type ReactNode, startTransition, useEffect, useRef, useState } from "react";

/** Reports whenever an element comes near the window or leaves it. */
type Watch = (entry: IntersectionObserverEntry) => void;

interface Watcher {
  readonly observer: IntersectionObserver;
  readonly watches: WeakMap<Element, Watch>;
}

/** One observer for all boxes with the same margin: a list has hundreds. */
const watchers = new Map<number, Watcher>();

function watcherAt(margin: number): Watcher {
  const known = watchers.get(margin);
  if (known) return known;
  const watches = new WeakMap<Element, Watch>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) watches.get(entry.target)?.(entry);
    },
    { rootMargin: `${margin}px 0px` },
  );
  const watcher = { observer, watches };
  watchers.set(margin, watcher);
  return watcher;
}

interface AwayBoxProps {
  readonly className: string;
  /** How far from the window the content is drawn, in CSS pixels. */
  readonly margin: number;
  /** Its height if it is not drawn initially, in CSS pixels; null if it is. */
  readonly expected: number | null;
  /** Called with the content's height whenever it is measured again. */
  readonly onMeasure: (height: number) => void;
  /** Draws the content; not called while the box is far away. */
  readonly children: () => ReactNode;
}

/** A part of a long list: far from the window it is an empty box of the same height. */
export function AwayBox({ className, margin, expected, onMeasure, children }: AwayBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(expected);
  const isDrawn = height === null;

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const { observer, watches } = watcherAt(margin);
    watches.set(element, ({ isIntersecting, boundingClientRect }) => {
      // A hidden screen has no boxes: its parts stay as they are.
      if (boundingClientRect.width === 0) return;
      if (isDrawn) onMeasure(boundingClientRect.height);
      if (isIntersecting === isDrawn) return;
      // As a transition, in slices between frames: it is still some way from being visible.
      startTransition(() => setHeight(isIntersecting ? null : boundingClientRect.height));
    });
    observer.observe(element);
    return () => {
      observer.unobserve(element);
      watches.delete(element);
    };
  }, [margin, isDrawn, onMeasure]);

  if (isDrawn) {
    return (
      <div ref={box} className={className}>
        {children()}
      </div>
    );
  }
  return <div ref={box} className={`${className} is-away`} style={{ height }} aria-hidden="true" />;
}
