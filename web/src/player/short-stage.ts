import { createStore, type StoreApi } from "zustand/vanilla";
import type { PlayReport } from "@/shared/api/play-events.ts";
import { HOLD_RATE } from "./rates.ts";
import { placesBySlot, SLOTS, slotOf } from "./short-order.ts";
import { ShortReports } from "./short-reports.ts";
import { ShortSlot } from "./short-slot.ts";
import type { PlaySource } from "./sources.ts";

/** `readyState` from which a picture can be shown. */
const HAVE_CURRENT_DATA = 2;

/**
 * A page that is about to be hidden may pause its elements first: only a pause that outlasts this, in
 * milliseconds, was wanted.
 */
const PAUSE_SETTLES_MS = 300;

/** What the feed draws of its stage. */
export interface StageState {
  readonly muted: boolean;
  /** The visitor has paused the clip on screen, or the browser has refused to start it. */
  readonly paused: boolean;
}

/** The clips on the stage: ids by place, null for an advertisement or nothing. */
export interface Programme {
  readonly active: number;
  readonly idAt: (place: number) => number | null;
  /** Where the clip on screen begins, in seconds. */
  readonly startAt: number;
}

/**
 * The short feed's three elements: the current clip and its neighbours (specification §2, §4). They
 * are created once per page load and reused ever after: a phone remembers the gesture that allowed
 * sound for the element, not for the page.
 */
export class ShortStage {
  readonly #slots: readonly ShortSlot[];
  readonly store: StoreApi<StageState> = createStore(() => ({ muted: false, paused: false }));
  readonly #find: (id: number) => Promise<readonly PlaySource[]>;
  readonly #reports: ShortReports;
  #programme: Programme | null = null;
  /** The clip that a finger is drawing in, and where it stood before, in seconds. */
  #coming: { readonly slot: ShortSlot; readonly at: number } | null = null;
  /** Somebody else has stopped the clip on screen a moment ago: a headset, another program. */
  #isStopped = false;

  /**
   * @param find - asks for a clip's sources.
   * @param report - takes how a clip on screen plays.
   */
  constructor(
    find: (id: number) => Promise<readonly PlaySource[]>,
    report: (id: number, report: PlayReport) => void = () => {},
  ) {
    this.#find = find;
    this.#reports = new ShortReports(report);
    this.#slots = Array.from({ length: SLOTS }, () => new ShortSlot(() => this.#proceed()));
    for (const slot of this.#slots) {
      // A clip's own clock tells when enough is buffered; it also runs when nothing more is being
      // fetched. Nothing is played for it: it ticks a last time before a pause is told.
      slot.video.addEventListener("timeupdate", () => this.#fetchNeighbours());
      slot.video.addEventListener("pause", () => this.#onPause(slot));
    }
    document.addEventListener("visibilitychange", () => this.#followVisibility());
  }

  /** Puts a clip on screen: it plays, the others pause. */
  show(programme: Programme): void {
    const before = this.#programme;
    this.#programme = programme;
    for (const place of placesBySlot(programme.active)) {
      this.slotAt(place).hold(
        programme.idAt(place),
        place === programme.active ? programme.startAt : 0,
      );
    }
    if (before?.active !== programme.active) this.store.setState({ paused: false });
    if (this.#coming?.slot === this.#current) this.#coming = null;
    else this.approach(null);
    for (const slot of this.#slots) if (slot !== this.#current) slot.video.pause();
    this.#reports.watch(this.#current ?? null);
    // One that a finger has drawn in moves already; now it gets its sound.
    if (this.#element?.paused === false) this.#play();
    this.#current?.open(this.#find);
    this.#proceed();
  }

  /**
   * Sets a neighbour moving, without sound, while a finger draws it in: a decoder takes some frames
   * to begin, and has begun when the finger is lifted. Null puts it back as it was.
   */
  approach(step: -1 | 1 | null): void {
    const place = this.#programme && step ? this.#programme.active + step : -1;
    const slot = place < 0 ? null : this.slotAt(place);
    if (slot === (this.#coming?.slot ?? null)) return;
    if (this.#coming) {
      const { slot: left, at } = this.#coming;
      left.video.pause();
      left.seek(at);
      this.#coming = null;
    }
    // Nothing of it is there yet: starting would only wait, beside the clip that plays.
    if (!slot || slot.id === null || slot.video.readyState < HAVE_CURRENT_DATA) return;
    this.#coming = { slot, at: slot.video.currentTime };
    slot.video.muted = true;
    slot.video.play().catch((error: unknown) => console.info("下一个视频没有提前开始", error));
  }

  /** The slot that holds a place of the feed. */
  slotAt(place: number): ShortSlot {
    return this.#slots[slotOf(place)] as ShortSlot;
  }

  /** The element of the clip on screen; null while an advertisement is. */
  get #element(): HTMLVideoElement | null {
    const current = this.#current;
    return !current || current.id === null ? null : current.video;
  }

  /** Seconds into the clip on screen; 0 in an advertisement. */
  get time(): number {
    return this.#element?.currentTime ?? 0;
  }

  /** Pauses or continues the clip on screen. */
  toggle(): void {
    const paused = !this.store.getState().paused;
    this.store.setState({ paused });
    if (paused) this.#element?.pause();
    else this.#play();
  }

  /** Plays at double speed while a finger rests on the clip. */
  hold(isHolding: boolean): void {
    const element = this.#element;
    if (element) element.playbackRate = isHolding ? HOLD_RATE : 1;
  }

  /** Sound for all clips. Call it inside a gesture: that is what unlocks the three elements. */
  setMuted(muted: boolean): void {
    this.store.setState({ muted });
    for (const { video } of this.#slots) video.muted = muted;
    if (!muted) this.#unlockOthers();
    if (!muted && !this.store.getState().paused) this.#play();
  }

  /** Frees every byte; the elements stay. */
  leave(): void {
    this.#programme = null;
    this.#coming = null;
    this.#reports.watch(null);
    for (const slot of this.#slots) slot.release();
  }

  get #current(): ShortSlot | undefined {
    return this.#programme ? this.slotAt(this.#programme.active) : undefined;
  }

  /**
   * Plays what should play, and fetches the next clip as soon as the current one has enough
   * buffered.
   */
  #proceed(): void {
    const current = this.#current;
    if (!current) return;
    const isWanted = !this.#isStopped && !this.store.getState().paused;
    if (current.video.paused && isWanted && !current.store.getState().failed) this.#play();
    this.#fetchNeighbours();
  }

  #fetchNeighbours(): void {
    const [programme, current] = [this.#programme, this.#current];
    if (!programme || !current || (current.id !== null && !current.isSafe)) return;
    this.slotAt(programme.active + 1).open(this.#find);
    // The previous one is missing only if the visitor returned into the middle of the feed.
    if (programme.active > 0) this.slotAt(programme.active - 1).open(this.#find);
  }

  /**
   * WebKit allows sound for an element that was started inside a gesture, even if it was stopped at
   * once.
   */
  #unlockOthers(): void {
    for (const slot of this.#slots) {
      if (slot === this.#current || !slot.video.src) continue;
      slot.video.play().catch(() => {});
      slot.video.pause();
    }
  }

  /** A pause that nobody here asked for stays, as if the visitor had tapped. */
  #onPause(slot: ShortSlot): void {
    const { video, id } = slot;
    const isStanding = () =>
      slot === this.#current && slot.id === id && video.paused && !document.hidden;
    const isOurs = this.store.getState().paused || video.readyState < HAVE_CURRENT_DATA;
    if (id === null || isOurs || !isStanding()) return;
    this.#isStopped = true;
    window.setTimeout(() => {
      if (this.#isStopped && isStanding()) this.store.setState({ paused: true });
      this.#isStopped = false;
    }, PAUSE_SETTLES_MS);
  }

  #play(): void {
    this.#isStopped = false;
    const slot = this.#current;
    if (!slot?.video.src || slot.id === null || document.hidden) return;
    const { id, video } = slot;
    slot.bufferFully();
    video.muted = this.store.getState().muted;
    video.play().catch((error: unknown) => {
      if (slot !== this.#current || slot.id !== id) return;
      if (error instanceof DOMException && error.name === "NotAllowedError") this.#onRefusal(error);
    });
  }

  /**
   * Browsers that refuse sound before a gesture may allow muted playback; one tap then adds the
   * sound.
   */
  #onRefusal(error: DOMException): void {
    console.info("自动播放被浏览器拦截", error);
    if (this.store.getState().muted) return this.store.setState({ paused: true });
    this.setMuted(true);
    this.#play();
  }

  #followVisibility(): void {
    if (document.hidden) {
      this.approach(null);
      this.#element?.pause();
    } else this.#proceed();
  }
}
