import { ApiError } from "@/shared/api/client.ts";
import { recordShareVisit } from "@/shared/api/share-calls.ts";

/**
 * How long the page must have been visible before an opening counts as a visit, in milliseconds
 * (docs/product.md#sharing).
 */
export const VISIBLE_MS = 3000;

const ENCODED = /^[\w-]{27}$/;

/** The first 16 characters of an id, 12 bytes: the video and the sharer. */
const READ_SIGNS = 16;
const VIDEO_BYTES = 4;

/** What an id of `/playVideoShare` states. Only the server knows whether it is genuine. */
export interface OpenedShare {
  readonly videoId: number;
  /** Whether it is somebody's link; otherwise it is a list's tile, whose opening is no visit. */
  readonly hasSharer: boolean;
}

/** @returns Null where the text cannot be an id. */
export function readShare(encodedId: string): OpenedShare | null {
  if (!ENCODED.test(encodedId)) return null;
  const text = atob(encodedId.slice(0, READ_SIGNS).replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Array.from(text, (sign) => sign.charCodeAt(0));
  const videoId = bytes.slice(0, VIDEO_BYTES).reduce((value, byte) => value * 256 + byte, 0);
  if (videoId === 0) return null;
  return { videoId, hasSharer: bytes.slice(VIDEO_BYTES).some((byte) => byte > 0) };
}

/**
 * Calls back once the page has been visible for so long in total; time in the background does not
 * count.
 *
 * @returns A function that ends the wait.
 */
export function afterVisible(durationMs: number, done: () => void): () => void {
  let left = durationMs;
  let startedAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    left -= performance.now() - startedAt;
  };
  const end = () => {
    stop();
    document.removeEventListener("visibilitychange", follow);
  };
  const follow = () => {
    stop();
    if (document.visibilityState !== "visible") return;
    startedAt = performance.now();
    timer = setTimeout(
      () => {
        end();
        done();
      },
      Math.max(0, left),
    );
  };
  document.addEventListener("visibilitychange", follow);
  follow();
  return end;
}

/** When an opening that did not reach the server is sent again, milliseconds. */
const AGAIN_MS = [5000, 30_000];

const sent = new Set<string>();

/**
 * Record an opening once per page load. One that did not reach the server is sent again, and may be
 * recorded by the next opening.
 */
export function recordOnce(encodedId: string, waits: readonly number[] = AGAIN_MS): void {
  if (sent.has(encodedId)) return;
  sent.add(encodedId);
  recordShareVisit(encodedId).catch((error: unknown) => {
    sent.delete(encodedId);
    console.warn(error);
    const [wait, ...others] = waits;
    const isLost = !(error instanceof ApiError) || error.code === 0 || error.code >= 500;
    if (wait !== undefined && isLost) setTimeout(() => recordOnce(encodedId, others), wait);
  });
}
