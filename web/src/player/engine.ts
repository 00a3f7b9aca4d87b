import type { FailureReason } from "./failure.ts";
import type { Quality } from "./sources.ts";

/** What an engine reports to the session that opened it. */
export interface EngineEvents {
  /** The element has its source: `play()` may be called. */
  onAttached(): void;
  /** The element was given up and taken again after an error, which stopped it without an event. */
  onRecovered(): void;
  /** The displayed rendition has changed; its short side in px, 0 if unknown. */
  onHeight(height: number): void;
  /** An audio track plays; its tag (`AudioTrack.lang`). Only of a video with several. */
  onAudio?(lang: string): void;
  /** Playback has ended for good; the engine has tried everything. */
  onFailure(reason: FailureReason): void;
}

/** Feeds a video to a `<video>` element, from construction until `close()`. */
export interface Engine {
  setQuality(quality: Quality): void;
  /** @param lang - the tag of an audio track. */
  setAudio(lang: string): void;
  /** Lifts the small buffer limit that holds until the first picture. */
  bufferFully(): void;
  /** Frees the element's source and every buffer. */
  close(): void;
}
