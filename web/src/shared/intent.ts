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

/** A finger touches a video's tile. */
export function announcePlayIntent(video: Video): void {
  handler(video);
}
