import { type RefObject, useEffect, useRef, useState } from "react";
import { followDrag } from "@/features/list/drag.ts";
import { swipeStep, withResistance } from "@/features/list/swipe.ts";
import { createThrottle } from "@/shared/throttle.ts";

/**
 * A switch this soon after the last one is ignored (specification §9: 500 ms debounce),
 * milliseconds.
 */
const SWITCH_MS = 500;
/** Smaller wheel movements are a finger resting on a touch pad, CSS pixels. */
const WHEEL_PX = 4;

interface Feed {
  readonly active: number;
  readonly count: number;
  /** One place on (1) or back (-1). */
  readonly onStep: (step: -1 | 1) => void;
  /** A finger draws the place on (1) or back (-1) in; null if it has let go of it again. */
  readonly onApproach: (step: -1 | 1 | null) => void;
  /** The visitor has pulled past the last place. */
  readonly onEnd: () => void;
}

/** Whether the focused element uses the key. */
function ownsKey({ target }: Event): boolean {
  return (
    target instanceof Element &&
    target.closest("input, textarea, select, dialog, [role=slider]") !== null
  );
}

/**
 * Turns the feed: the track follows the finger one to one and settles on a place; wheel and arrow
 * keys turn one place.
 *
 * @param box - What fingers touch. @param track - What moves: its `--drag` is the finger's way.
 * @returns Turns one place, under the same lock as everything else; whether it has turned.
 */
export function usePageTurning(
  box: RefObject<HTMLElement | null>,
  track: RefObject<HTMLElement | null>,
  feed: Feed,
): (step: -1 | 1) => boolean {
  const latest = useRef(feed);
  const [mayTurn] = useState(() => createThrottle(SWITCH_MS));
  useEffect(() => {
    latest.current = feed;
  });
  const turn = (step: -1 | 1) => {
    const { active, count, onStep, onEnd } = latest.current;
    if (active + step < 0) return false;
    if (active + step >= count) {
      onEnd();
      return false;
    }
    if (!mayTurn()) return false;
    onStep(step);
    return true;
  };
  const turning = useRef(turn);
  useEffect(() => {
    turning.current = turn;
  });

  useEffect(() => {
    const life = new AbortController();
    const { signal } = life;
    const element = box.current;
    if (!element) return;
    const drag = (way: number | null) => {
      track.current?.style.setProperty("--drag", `${way ?? 0}px`);
      track.current?.toggleAttribute("data-dragged", way !== null);
    };
    followDrag(
      element,
      {
        claim: ({ dx, dy }) => (Math.abs(dy) > Math.abs(dx) ? "ours" : "browser"),
        move: ({ dy }) => {
          const { active, count, onApproach } = latest.current;
          drag(withResistance(dy, active, count));
          onApproach(dy < 0 ? 1 : -1);
        },
        end: ({ dy }, velocity) => {
          drag(null);
          const { active, onApproach } = latest.current;
          // As if there were one more place: pulling past the last one has its own answer.
          const way = {
            dx: dy,
            velocity: velocity.dy,
            width: element.clientHeight,
            index: active,
            count: active + 2,
          };
          const step = swipeStep(way);
          if (step === 0 || !turning.current(step)) onApproach(null);
        },
      },
      signal,
    );
    element.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        if (Math.abs(event.deltaY) >= WHEEL_PX) turning.current(event.deltaY > 0 ? 1 : -1);
      },
      { passive: false, signal },
    );
    document.addEventListener(
      "keydown",
      (event) => {
        const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 1, PageUp: -1 }[event.key];
        if (
          !step ||
          event.defaultPrevented ||
          event.ctrlKey ||
          event.metaKey ||
          event.altKey ||
          ownsKey(event)
        )
          return;
        event.preventDefault();
        turning.current(step > 0 ? 1 : -1);
      },
      { signal },
    );
    return () => life.abort();
  }, [box, track]);
  return turn;
}
