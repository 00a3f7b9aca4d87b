import type { PlaybackState, PlayOrder } from "./playback-state.ts";
import { PlaybackSession } from "./session.ts";
import { after } from "./timing.ts";

/** A prepared session that nobody takes within this time frees its buffers. */
const UNTAKEN_MS = 10_000;

let current: { session: PlaybackSession; taken: boolean } | null = null;

/**
 * Begins to load a video before its page exists, unless another one is on the stage: a finger
 * resting on a recommendation must not stop what is playing.
 *
 * @returns whether the video is being loaded.
 */
export function prepareSession(order: PlayOrder): boolean {
  if (current?.taken) return false;
  if (current?.session.id === order.id) return true;
  const session = occupy(order, false);
  after(UNTAKEN_MS, () => !current?.taken && session.dispose(), session.signal);
  return true;
}

/**
 * The session for a video's page: the prepared one where it fits, otherwise a new one. There is
 * never a second.
 */
export function takeSession(order: PlayOrder): PlaybackSession {
  const ready = current;
  if (
    ready &&
    !ready.taken &&
    ready.session.id === order.id &&
    ready.session.state.phase !== "failed"
  ) {
    ready.taken = true;
    ready.session.adoptSources(order.sources);
    return ready.session;
  }
  return occupy(order, true);
}

function occupy(order: PlayOrder, taken: boolean): PlaybackSession {
  current?.session.dispose();
  const session = new PlaybackSession(order);
  const entry = { session, taken };
  current = entry;
  session.signal.addEventListener(
    "abort",
    () => {
      if (current === entry) current = null;
    },
    { once: true },
  );
  return session;
}

/** The session that waits for its page; null where there is none. */
export function preparedSession(): PlaybackSession | null {
  return current && !current.taken ? current.session : null;
}

/** Whether no video's page has the stage. */
export function isStageFree(): boolean {
  return current?.taken !== true;
}

/** Goes to `time` seconds of what is on the stage, and plays on. */
export function seekPlayback(time: number): void {
  if (!current?.taken) return;
  current.session.seek(time);
  current.session.play();
}

/** What is on the stage, for a report about it; null while nothing is. */
export function currentPlayback(): PlaybackState | null {
  return current?.taken ? current.session.state : null;
}
