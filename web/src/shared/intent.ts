import type { Video } from "@/shared/api/model.ts";

/** What the page prepares when a visitor is about to play a video. */
export type PlayIntentHandler = (video: Video) => void;

let handler: PlayIntentHandler = () => {};

/**
 * Set the function; called once at the start. Tiles know nothing of the player, and home's code
 * does not contain it.
 */
export function onPlayIntent(given: PlayIntentHandler): void {
  handler = given;
}

/**
 * What the link of a video's tile needs: a finger that touches it is announced, and what it would
 * play can be found (`player/likely-plays.ts`).
 */
export function playIntent(video: Video) {
  return { onPointerDown: () => handler(video), "data-path": video.videoPath || undefined };
}
