import { after } from "./timing.ts";

/** Seconds that one double tap, or each further tap, moves (specification §9). */
export const SEEK_STEP_S = 10;
/** How long a tap on an outer third waits for a second one before it counts as single. */
export const SINGLE_TAP_WAIT_MS = 220;
/** Two taps this close are a double tap, even if the first was already handled as a single one. */
export const DOUBLE_TAP_MS = 300;
/** A further tap this soon after the last adds another step. */
export const STREAK_MS = 600;
/** A finger that rests this long speeds playback up. */
export const HOLD_MS = 350;
/** A finger that travels further than this is scrolling, not tapping. */
export const SLOP_PX = 10;

/** Which way a double tap leads: the left third back, the right third forward. */
export type SeekSide = "back" | "forward";

/**
 * What a finger asked for. `total` sums the streak's seconds, always positive; `x`, `y` are where
 * the finger was.
 */
export type GestureAction =
  | { type: "toggle-controls" }
  | { type: "seek"; side: SeekSide; step: number; total: number; x: number; y: number }
  | { type: "hold-start" }
  | { type: "hold-end" };

/**
 * A finger's place in pixels from the picture's upper left corner, the picture's width, and the
 * time in ms.
 */
export interface TouchPoint {
  pointer: number;
  x: number;
  y: number;
  width: number;
  at: number;
}

interface Press {
  start: TouchPoint;
  strayed: boolean;
  holding: boolean;
  cancelHold: () => void;
}

interface FirstTap {
  side: SeekSide;
  at: number;
  cancelSingle: () => void;
}

interface Streak {
  side: SeekSide;
  total: number;
  at: number;
}

/** The side whose outer third holds `x`, or null for the middle. */
export function sideAt(x: number, width: number): SeekSide | null {
  if (x < width / 3) return "back";
  return x > (width * 2) / 3 ? "forward" : null;
}

/**
 * Tells taps, double taps and holds on the picture apart.
 *
 * The middle third answers a tap at once; the outer thirds wait {@link SINGLE_TAP_WAIT_MS} for a
 * second one. Time stamps come from the events, so that a busy main thread does not tear a double
 * tap apart.
 */
export class TouchGestures {
  #press: Press | null = null;
  #firstTap: FirstTap | null = null;
  #streak: Streak | null = null;
  readonly #emit: (action: GestureAction) => void;
  readonly #signal: AbortSignal;

  /**
   * @param signal - ends every pending timer and the current hold.
   */
  constructor(emit: (action: GestureAction) => void, signal: AbortSignal) {
    this.#emit = emit;
    this.#signal = signal;
    signal.addEventListener("abort", () => this.cancel(), { once: true });
  }

  /** A finger has come down. A second finger ends the gesture: that is a pinch, not ours. */
  down(point: TouchPoint): void {
    if (this.#press) {
      this.cancel();
      return;
    }
    const press: Press = {
      start: point,
      strayed: false,
      holding: false,
      cancelHold: after(HOLD_MS, () => this.#hold(press), this.#signal),
    };
    this.#press = press;
  }

  /** A finger has moved. */
  move(point: TouchPoint): void {
    const press = this.#press;
    if (!press || press.holding || press.start.pointer !== point.pointer) return;
    if (Math.hypot(point.x - press.start.x, point.y - press.start.y) <= SLOP_PX) return;
    press.strayed = true;
    press.cancelHold();
  }

  /** A finger has gone up. */
  up(point: TouchPoint): void {
    const press = this.#press;
    if (!press || press.start.pointer !== point.pointer) return;
    this.#press = null;
    press.cancelHold();
    if (press.holding) this.#emit({ type: "hold-end" });
    else if (!press.strayed) this.#tap(point);
  }

  /** The browser has taken over the gesture (a scroll, a call, a second finger). */
  cancel(): void {
    const press = this.#press;
    this.#press = null;
    press?.cancelHold();
    if (press?.holding) this.#emit({ type: "hold-end" });
  }

  #hold(press: Press): void {
    if (this.#press !== press) return;
    press.holding = true;
    this.#forgetFirstTap();
    this.#streak = null;
    this.#emit({ type: "hold-start" });
  }

  #tap(point: TouchPoint): void {
    const side = sideAt(point.x, point.width);
    const streak = this.#streak;
    if (streak && side === streak.side && point.at - streak.at <= STREAK_MS) {
      this.#seek(streak.side, streak.total + SEEK_STEP_S, point);
      return;
    }
    this.#streak = null;
    const first = this.#firstTap;
    this.#forgetFirstTap();
    if (side === null) this.#emit({ type: "toggle-controls" });
    else if (first?.side === side && point.at - first.at <= DOUBLE_TAP_MS)
      this.#seek(side, SEEK_STEP_S, point);
    else this.#firstTap = { side, at: point.at, cancelSingle: this.#answerSingleLater() };
  }

  #seek(side: SeekSide, total: number, point: TouchPoint): void {
    this.#streak = { side, total, at: point.at };
    this.#emit({ type: "seek", side, step: SEEK_STEP_S, total, x: point.x, y: point.y });
  }

  #answerSingleLater(): () => void {
    return after(SINGLE_TAP_WAIT_MS, () => this.#emit({ type: "toggle-controls" }), this.#signal);
  }

  #forgetFirstTap(): void {
    this.#firstTap?.cancelSingle();
    this.#firstTap = null;
  }
}
