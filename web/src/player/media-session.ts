import { SEEK_STEP_S } from "./gestures.ts";
import type { PlaybackSession } from "./session.ts";

/** Lets the lock screen, headsets and the system's media keys control a session, until it ends. */
export function bindMediaSession(session: PlaybackSession, title: string, artist: string): void {
  if (!("mediaSession" in navigator)) return;
  const { mediaSession } = navigator;
  mediaSession.metadata = new MediaMetadata({ title, artist });
  const handlers: Partial<Record<MediaSessionAction, MediaSessionActionHandler>> = {
    play: () => session.play(),
    pause: () => session.pause(),
    seekbackward: ({ seekOffset }) => session.seek(session.state.time - (seekOffset ?? SEEK_STEP_S)),
    seekforward: ({ seekOffset }) => session.seek(session.state.time + (seekOffset ?? SEEK_STEP_S)),
    seekto: ({ seekTime }) => seekTime !== undefined && session.seek(seekTime),
  };
  const actions = Object.entries(handlers) as [MediaSessionAction, MediaSessionActionHandler][];
  for (const [action, handler] of actions) setHandler(action, handler);
  const unsubscribe = session.store.subscribe(({ time, duration, rate }) => {
    if (duration > 0)
      mediaSession.setPositionState({ duration, playbackRate: rate, position: Math.min(time, duration) });
  });
  session.signal.addEventListener(
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
