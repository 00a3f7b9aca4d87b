import type { Video } from "@/shared/api/model.ts";
import { read, write } from "./registry.ts";
import { HISTORY } from "./screen-entries.ts";

/**
 * Put a video on top of the watch history; an earlier entry of the same video goes
 * (docs/product.md#r15).
 */
export function recordWatched(video: Video): void {
  write(HISTORY, [video, ...read(HISTORY).filter((item) => item.id !== video.id)]);
}

/** Take a video out of the watch history. @public */
export function forgetWatched(id: number): void {
  write(
    HISTORY,
    read(HISTORY).filter((item) => item.id !== id),
  );
}
