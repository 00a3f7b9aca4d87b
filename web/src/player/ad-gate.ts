/** Seconds the countdown lasts when the advertisement names none. */
const DEFAULT_COUNTDOWN_S = 5;
/**
 * A creative that has not shown by then counts as broken, and the gate opens
 * (docs/product.md#playback).
 */
export const CREATIVE_TIMEOUT_MS = 4000;

/**
 * Where the pre-roll gate stands (specification §4). The picture stays hidden until `open`.
 *
 * - `asking`: whether there is an advertisement is not known yet
 * - `loading`: there is one, its creative is on the way
 * - `counting`: it shows, `left` whole seconds remain
 * - `closable`: the visitor may close it
 * - `open`: the player is free
 * - `hijacked`: something played beneath the advertisement; the player is gone for good
 */
export type GateState<Ad> =
  | { phase: "asking" }
  | { phase: "loading"; ad: Ad }
  | { phase: "counting"; ad: Ad; left: number }
  | { phase: "closable"; ad: Ad }
  | { phase: "open" }
  | { phase: "hijacked" };

/** What may happen at the gate. `playing` is the `<video>` element's own event. */
export type GateEvent<Ad> =
  | { type: "no-ad" }
  | { type: "ad"; ad: Ad }
  | { type: "creative-shown" }
  | { type: "creative-failed" }
  | { type: "second-passed" }
  | { type: "close" }
  | { type: "playing" };

/** An advertisement as far as the gate is concerned: how many seconds it must stand. */
export interface Countdown {
  seconds: number;
}

/** The gate's next state. Events that do not fit the current phase change nothing. */
export function passGate<Ad extends Countdown>(
  state: GateState<Ad>,
  event: GateEvent<Ad>,
): GateState<Ad> {
  switch (event.type) {
    case "no-ad":
      return state.phase === "asking" ? { phase: "open" } : state;
    case "ad":
      return state.phase === "asking" ? { phase: "loading", ad: event.ad } : state;
    case "creative-shown":
      return state.phase === "loading" ? countDown(state.ad, countdownOf(state.ad)) : state;
    case "creative-failed":
      return isAdUp(state) ? { phase: "open" } : state;
    case "second-passed":
      return state.phase === "counting" ? countDown(state.ad, state.left - 1) : state;
    case "close":
      return state.phase === "closable" ? { phase: "open" } : state;
    case "playing":
      return isAdUp(state) ? { phase: "hijacked" } : state;
  }
}

/**
 * Whether the advertisement owns the picture: a `playing` event then means that a browser has
 * hijacked the player.
 */
export function isAdUp<Ad>(state: GateState<Ad>): boolean {
  return state.phase === "loading" || state.phase === "counting" || state.phase === "closable";
}

/** Whole seconds that an advertisement must stand. */
export function countdownOf(ad: Countdown): number {
  return ad.seconds > 0 ? Math.ceil(ad.seconds) : DEFAULT_COUNTDOWN_S;
}

function countDown<Ad>(ad: Ad, left: number): GateState<Ad> {
  return left > 0 ? { phase: "counting", ad, left } : { phase: "closable", ad };
}
