import type { StoreApi } from "zustand/vanilla";
import type { PlaybackState } from "./playback-state.ts";
import { bufferedUntil } from "./seek-position.ts";

/** What a session does when its element waits for data, and when it has them. */
interface Waiting {
  readonly begins: () => void;
  readonly ends: () => void;
}

/** Keeps a session's state in step with its element until `signal` aborts. */
export function followElement(
  video: HTMLVideoElement,
  store: StoreApi<PlaybackState>,
  signal: AbortSignal,
  waiting: Waiting,
): void {
  const set = (part: Partial<PlaybackState>) => store.setState(part);
  const on = (type: keyof HTMLMediaElementEventMap, handle: () => void) =>
    video.addEventListener(type, handle, { signal });
  const syncTime = () => set(timesOf(video, store.getState()));
  on("loadedmetadata", () => {
    // A new source, also one after a recovery, resets the element's rate.
    video.playbackRate = store.getState().rate;
    set({ phase: "ready", duration: video.duration });
  });
  on("durationchange", () => Number.isFinite(video.duration) && set({ duration: video.duration }));
  on("play", () =>
    set({ playing: true, refused: false, ...(video.ended ? {} : awayFromEnd(store.getState())) }),
  );
  on("pause", () => set({ playing: false }));
  on("playing", () => {
    waiting.ends();
    markStarted(video, store, signal);
  });
  on("canplay", waiting.ends);
  on("seeked", waiting.ends);
  on("waiting", waiting.begins);
  on("ended", () => set({ phase: "ended", playing: false }));
  on("timeupdate", syncTime);
  on("seeking", syncTime);
  on("progress", syncTime);
  on("volumechange", () => set({ volume: video.volume, muted: video.muted }));
}

/** What changes when an ended video continues. */
export function awayFromEnd({ phase }: PlaybackState): Partial<PlaybackState> {
  return phase === "ended" ? { phase: "ready" } : {};
}

function timesOf(
  { readyState, currentTime, buffered }: HTMLVideoElement,
  { phase }: PlaybackState,
) {
  // Before metadata arrive the element reports 0 while the state already holds the resume position.
  if (readyState < HTMLMediaElement.HAVE_METADATA || phase === "failed") return {};
  return { time: currentTime, buffered: bufferedUntil(buffered, currentTime) };
}

function markStarted(
  video: HTMLVideoElement,
  store: StoreApi<PlaybackState>,
  signal: AbortSignal,
): void {
  if (store.getState().started) return;
  const mark = () => !signal.aborted && store.setState({ started: true });
  if ("requestVideoFrameCallback" in video) video.requestVideoFrameCallback(mark);
  else mark();
}
