import type { FailureReason } from "./failure.ts";
import type { Quality } from "./sources.ts";

/** What an engine reports to the session that opened it. */
export interface EngineEvents {
  /** The element has its source: `play()` may be asked for. */
  onAttached(): void;
  /** The rung on screen has changed; its short side in px, 0 where unknown. */
  onHeight(height: number): void;
  /** Playback has ended for good; the engine has tried what it can. */
  onFailure(reason: FailureReason): void;
}

/**
 * Brings a video's bytes to a `<video>` element. It works from its construction until `close()`.
 */
export interface Engine {
  setQuality(quality: Quality): void;
  /** Lifts the small limit that holds until the first picture. */
  bufferFully(): void;
  /** Frees the element's source and every buffer. */
  close(): void;
}
