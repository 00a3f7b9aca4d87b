import { SEEK_STEP_S } from "./gestures.ts";
import type { PlaybackSession } from "./session.ts";

/** What the lock screen says about the video. */
export interface MediaTitle {
  readonly title: string;
  readonly artist: string;
}

/**
 * Lets the lock screen, headsets and the system's media keys control a session until `signal`
 * aborts.
 */
export function bindMediaSession(
  session: PlaybackSession,
  about: MediaTitle,
  signal: AbortSignal,
): void {
  if (!("mediaSession" in navigator)) return;
  const { mediaSession } = navigator;
  mediaSession.metadata = new MediaMetadata(about);
  const handlers: Partial<Record<MediaSessionAction, MediaSessionActionHandler>> = {
    play: () => session.play(),
    pause: () => session.pause(),
    seekbackward: ({ seekOffset }) =>
      session.seek(session.state.time - (seekOffset ?? SEEK_STEP_S)),
    seekforward: ({ seekOffset }) => session.seek(session.state.time + (seekOffset ?? SEEK_STEP_S)),
    seekto: ({ seekTime }) => seekTime !== undefined && session.seek(seekTime),
  };
  const actions = Object.entries(handlers) as [MediaSessionAction, MediaSessionActionHandler][];
  for (const [action, handler] of actions) setHandler(action, handler);
  const unsubscribe = session.store.subscribe(({ time, duration, rate }) => {
    if (duration > 0)
      mediaSession.setPositionState({
        duration,
        playbackRate: rate,
        position: Math.min(time, duration),
      });
  });
  signal.addEventListener(
    "abort",
    () => {
      unsubscribe();
      mediaSession.metadata = null;
      for (const [action] of actions) setHandler(action, null);
    },
    { once: true },
  );
}

function setHandler(action: MediaSessionAction, handler: MediaSessionActionHandler | null): void {
  try {
    navigator.mediaSession.setActionHandler(action, handler);
  } catch {
    // An action that this browser does not know.
  }
}
