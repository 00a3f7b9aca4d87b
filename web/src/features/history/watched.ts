import type { Video } from "@/shared/api/model.ts";
import { insertAt } from "@/shared/insert-at.ts";
import { forgetWatched } from "@/shared/storage/history.ts";
import { read, write } from "@/shared/storage/registry.ts";
import { HISTORY } from "@/shared/storage/screen-entries.ts";

/** Videos shown of the watch history (specification §9). */
export const SHOWN_WATCHED = 30;

/**
 * Remove a video from the watch history.
 *
 * @returns A function that puts it back where it was, unless it has been watched again since.
 */
export function removeWatched(video: Video): () => void {
  const index = read(HISTORY).findIndex(({ id }) => id === video.id);
  forgetWatched(video.id);
  return () => {
    const history = read(HISTORY);
    if (index < 0 || history.some(({ id }) => id === video.id)) return;
    write(HISTORY, insertAt(history, index, video));
  };
}

/**
 * Remove every video from the watch history.
 *
 * @returns A function that brings them back, behind those watched since.
 */
export function clearWatched(): () => void {
  const former = read(HISTORY);
  write(HISTORY, []);
  return () => {
    const since = read(HISTORY);
    const ids = new Set(since.map(({ id }) => id));
    write(HISTORY, [...since, ...former.filter(({ id }) => !ids.has(id))]);
  };
}
