import { createStore, type StoreApi } from "zustand/vanilla";
import { after } from "./timing.ts";

/** Controls go away this long after the last input. */
export const HIDE_AFTER_MS = 3000;

/** Why the controls must stay visible, however long nobody touches them. */
export type HoldReason = "paused" | "scrubbing" | "sheet" | "focus" | "hover";

/**
 * Whether the controls are visible. They hide {@link HIDE_AFTER_MS} after the last input, but never
 * while a reason holds them.
 */
export class ControlsVisibility {
  readonly store: StoreApi<{ visible: boolean }> = createStore(() => ({ visible: false }));
  readonly #holds = new Set<HoldReason>();
  readonly #signal: AbortSignal;
  #cancelHide: () => void = () => {};

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Shows the controls and restarts the timer. */
  show(): void {
    this.store.setState({ visible: true });
    this.#rearm();
  }

  /** Hides them now; a hold only stops the timer, not the viewer. */
  hide(): void {
    this.#cancelHide();
    this.store.setState({ visible: false });
  }

  /** What a tap on the picture does. */
  toggle(): void {
    if (this.store.getState().visible) this.hide();
    else this.show();
  }

  /** Keeps the controls up, or lets the clock run again. */
  hold(reason: HoldReason, held: boolean): void {
    if (held === this.#holds.has(reason)) return;
    if (held) this.#holds.add(reason);
    else this.#holds.delete(reason);
    this.#rearm();
  }

  #rearm(): void {
    this.#cancelHide();
    if (this.#holds.size > 0 || !this.store.getState().visible) return;
    this.#cancelHide = after(
      HIDE_AFTER_MS,
      () => this.store.setState({ visible: false }),
      this.#signal,
    );
  }
}
