import type { Video } from "@/shared/api/model.ts";
import { recordWatched } from "@/shared/storage/history.ts";
import { storePosition } from "./preferences.ts";
import type { PlaybackSession } from "./session.ts";
import { every } from "./timing.ts";

const SAVE_EVERY_MS = 5000;

/**
 * Writes the watch history when the video first plays, and its position every 5 s, on pause and on
 * leaving (specification §3, docs/product.md#playback).
 *
 * @param signal - ends the record; the position is written once more then.
 */
export function recordWatching(session: PlaybackSession, video: Video, signal: AbortSignal): void {
  const { store } = session;
  let watched = store.getState().started;
  const save = () => {
    const { time, duration, started } = session.state;
    if (started && duration > 0) storePosition(video.id, time, duration, Date.now());
  };
  if (watched) recordWatched(video);
  const unsubscribe = store.subscribe((state, before) => {
    if (!watched && state.started) {
      watched = true;
      recordWatched(video);
    }
    if (before.playing && !state.playing) save();
  });
  every(SAVE_EVERY_MS, save, signal);
  window.addEventListener("pagehide", save, { signal });
  signal.addEventListener(
    "abort",
    () => {
      save();
      unsubscribe();
    },
    { once: true },
  );
}
