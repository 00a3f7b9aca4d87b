import type { PlayReport } from "@/shared/api/play-events.ts";
import type { PlaybackState } from "./playback-state.ts";

/** A view: this much watched, in seconds or as a share of the whole (docs/product.md#playback). */
const VIEW_SECONDS = 30;
const VIEW_SHARE = 0.75;
/**
 * A larger step of the clock is a seek, not watching. At double speed a quarter of a second apart
 * it is half a second.
 */
const MAX_STEP_S = 1.5;

/**
 * Playback as seen by the reporter; any value that is not null is a failure, and a different one is
 * another failure.
 */
export interface Watched
  extends Pick<PlaybackState, "started" | "playing" | "waiting" | "time" | "duration"> {
  readonly failure: unknown;
  /** The browser waits for a press: meanwhile nobody is waiting to watch. */
  readonly refused?: boolean;
}

/**
 * Turns the events of a playback into reports: the start with its waiting time, each stall, each
 * failure, and one view once enough was really watched.
 */
export class PlayReporter {
  readonly #report: (report: PlayReport) => void;
  readonly #now: () => number;
  #begun: number;
  #before: Watched | null = null;
  #watched = 0;
  #isViewed = false;

  /**
   * @param report - Receives each report. @param now - Monotonic milliseconds.
   */
  constructor(report: (report: PlayReport) => void, now: () => number) {
    this.#report = report;
    this.#now = now;
    this.#begun = now();
  }

  /** Process a state; call it with every change, in order. */
  readonly note = (state: Watched): void => {
    const before = this.#before;
    this.#before = { ...state };
    if (before?.refused && !state.refused) this.#begun = this.#now();
    if (state.started && !before?.started)
      this.#report({ event: "start", waitMs: this.#now() - this.#begun });
    if (state.started && state.waiting && before && !before.waiting)
      this.#report({ event: "stall" });
    if (state.failure && state.failure !== before?.failure) this.#report({ event: "error" });
    if (before && state.playing && state.started)
      this.#addWatched(state.time - before.time, state.duration);
  };

  #addWatched(step: number, duration: number): void {
    if (step <= 0 || step > MAX_STEP_S || this.#isViewed) return;
    this.#watched += step;
    const enough = duration > 0 ? Math.min(VIEW_SECONDS, duration * VIEW_SHARE) : VIEW_SECONDS;
    if (this.#watched < enough) return;
    this.#isViewed = true;
    this.#report({ event: "view" });
  }
}
