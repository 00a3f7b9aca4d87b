/** How far a finger has moved since it touched down, CSS pixels. */
export interface DragMove {
  readonly dx: number;
  readonly dy: number;
}

/** Whether a drag beyond the slop is ours or the browser's (scrolling). */
export type DragClaim = "ours" | "browser";

export interface DragHandlers {
  /** Called once, when the finger has moved further than {@link SLOP}. */
  readonly claim: (move: DragMove) => DragClaim;
  readonly move: (move: DragMove) => void;
  /** @param velocity - Of the last moves, CSS pixels a millisecond. */
  readonly end: (move: DragMove, velocity: DragMove) => void;
}

/** Movement below this is still a tap, CSS pixels. */
const SLOP = 8;
/** Older samples are ignored for the speed at release, milliseconds. */
const VELOCITY_MS = 100;

interface Sample extends DragMove {
  readonly at: number;
}

/** Speed over the last samples; zero if the finger rested. */
export function velocityOf(samples: readonly Sample[], now: number): DragMove {
  const recent = samples.filter((sample) => now - sample.at <= VELOCITY_MS);
  const [first, last] = [recent[0], recent.at(-1)];
  const elapsed = first && last ? last.at - first.at : 0;
  if (!first || !last || elapsed <= 0) return { dx: 0, dy: 0 };
  return { dx: (last.dx - first.dx) / elapsed, dy: (last.dy - first.dy) / elapsed };
}

interface Drag {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  claimed: DragClaim | null;
  samples: Sample[];
  /** Ends the listeners on the touched element. */
  readonly letGo: () => void;
}

const REST: DragMove = { dx: 0, dy: 0 };

/**
 * Follow one finger on an element. Touch events instead of pointer events: only they let us decide
 * at the first move whether the browser scrolls.
 *
 * @param signal - Ends it.
 */
export function followDrag(
  element: HTMLElement,
  handlers: DragHandlers,
  signal: AbortSignal,
): void {
  let drag: Drag | null = null;
  const find = (touches: TouchList) =>
    Array.from(touches).find((touch) => touch.identifier === drag?.id);
  const finish = (way: DragMove, velocity: DragMove) => {
    const claimed = drag?.claimed;
    drag?.letGo();
    drag = null;
    if (claimed === "ours") handlers.end(way, velocity);
  };

  const start = ({ touches, target }: TouchEvent) => {
    const touch = touches[0];
    if (touches.length !== 1 || !touch) return;
    // A lone finger: another one that is still followed has gone without a word.
    finish(REST, REST);
    // An element above it, such as a sheet over a list, handles its own touches.
    const layer = target instanceof Element ? target.closest("dialog") : null;
    if (layer && element.contains(layer)) return;
    const letGo = followRemoved(element, target, move, end);
    drag = { id: touch.identifier, ...placeOf(touch), claimed: null, samples: [], letGo };
  };
  const move = (event: TouchEvent) => {
    const touch = find(event.changedTouches);
    if (!drag || !touch || drag.claimed === "browser") return;
    const way = wayTo(touch, drag);
    if (drag.claimed === null) {
      if (Math.hypot(way.dx, way.dy) < SLOP) return;
      drag.claimed = event.cancelable ? handlers.claim(way) : "browser";
      if (drag.claimed === "browser") return;
    }
    if (event.cancelable) event.preventDefault();
    drag.samples = [...drag.samples.slice(-8), { ...way, at: event.timeStamp }];
    handlers.move(way);
  };
  const end = (event: TouchEvent) => {
    const touch = find(event.changedTouches);
    if (!drag || !touch) return;
    if (event.type === "touchcancel") finish(REST, REST);
    else finish(wayTo(touch, drag), velocityOf(drag.samples, event.timeStamp));
  };

  element.addEventListener("touchstart", start, { passive: true, signal });
  element.addEventListener("touchmove", move, { passive: false, signal });
  element.addEventListener("touchend", end, { passive: true, signal });
  element.addEventListener("touchcancel", end, { passive: true, signal });
  signal.addEventListener("abort", () => drag?.letGo());
}

const placeOf = ({ clientX, clientY }: Touch) => ({ x: clientX, y: clientY });

const wayTo = ({ clientX, clientY }: Touch, { x, y }: Pick<Drag, "x" | "y">): DragMove => ({
  dx: clientX - x,
  dy: clientY - y,
});

type Listener = (event: TouchEvent) => void;

/**
 * The rest of a touch whose element is removed under the finger, as a skeleton is when the list
 * arrives: its events still reach that element, and from there nothing else.
 *
 * @returns A function that ends it.
 */
function followRemoved(
  element: HTMLElement,
  touched: EventTarget | null,
  move: Listener,
  end: Listener,
): () => void {
  const life = new AbortController();
  const { signal } = life;
  const ifRemoved = (listener: Listener) => (event: Event) => {
    if (touched instanceof Node && !element.contains(touched)) listener(event as TouchEvent);
  };
  touched?.addEventListener("touchmove", ifRemoved(move), { passive: false, signal });
  touched?.addEventListener("touchend", ifRemoved(end), { passive: true, signal });
  touched?.addEventListener("touchcancel", ifRemoved(end), { passive: true, signal });
  return () => life.abort();
}
