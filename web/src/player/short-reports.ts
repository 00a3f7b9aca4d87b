import type { PlayReport } from "@/shared/api/play-events.ts";
import { PlayReporter } from "./play-reporter.ts";
import type { ShortSlot } from "./short-slot.ts";
import { after } from "./timing.ts";

/** A shorter wait is not visible: a clip that restarts waits for a moment too. */
const STALL_AFTER_MS = 300;

/**
 * Follows the clip on screen of the short feed, one at a time, and reports how it plays
 * (docs/product.md#playback).
 */
export class ShortReports {
  readonly #report: (id: number, report: PlayReport) => void;
  #watched: {
    readonly id: number;
    readonly slot: ShortSlot;
    readonly life: AbortController;
  } | null = null;

  constructor(report: (id: number, report: PlayReport) => void) {
    this.#report = report;
  }

  /**
   * Follows the clip that a slot holds from now on; null follows none. The same clip goes on as it
   * was.
   */
  watch(slot: ShortSlot | null): void {
    const id = slot?.id ?? null;
    if (this.#watched?.slot === slot && this.#watched?.id === id) return;
    this.#watched?.life.abort();
    this.#watched = null;
    if (!slot || id === null) return;
    const life = new AbortController();
    this.#watched = { id, slot, life };
    this.#follow(slot, id, life.signal);
  }

  #follow(slot: ShortSlot, id: number, signal: AbortSignal): void {
    const { video, store } = slot;
    const reporter = new PlayReporter(
      (report) => this.#report(id, report),
      () => performance.now(),
    );
    // A clip that a finger drew in plays already.
    let [started, waiting] = [store.getState().playing, false];
    let cancelStall = () => {};
    const note = () =>
      reporter.note({
        started,
        waiting,
        playing: !video.paused,
        time: video.currentTime,
        duration: slot.duration,
        failure: store.getState().failed || null,
      });
    const goOn = () => {
      cancelStall();
      waiting = false;
      note();
    };
    const stall = () => {
      waiting = true;
      note();
    };
    const on = (type: string, listener: () => void) =>
      video.addEventListener(type, listener, { signal });
    on("playing", () => {
      started = true;
      goOn();
    });
    on("timeupdate", goOn);
    on("pause", goOn);
    on("waiting", () => {
      cancelStall();
      cancelStall = after(STALL_AFTER_MS, stall, signal);
    });
    signal.addEventListener("abort", store.subscribe(note), { once: true });
    note();
  }
}
