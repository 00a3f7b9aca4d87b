import { recordShareVisit } from "@/shared/api/share-calls.ts";

/**
 * How long the page must have been visible before an opening counts as a visit, in milliseconds
 * (docs/product.md#sharing).
 */
export const VISIBLE_MS = 3000;

const ENCODED = /^[\w-]{27}$/;

/**
 * The video that a share link leads to: the first four bytes of its id. Whether the link is
 * genuine, only the server knows.
 *
 * @returns Null where the text cannot be the id of a link.
 */
export function videoOfShare(encodedId: string): number | null {
  if (!ENCODED.test(encodedId)) return null;
  const bytes = atob(encodedId.slice(0, 8).replaceAll("-", "+").replaceAll("_", "/"));
  const id = Array.from(bytes.slice(0, 4)).reduce(
    (value, byte) => value * 256 + byte.charCodeAt(0),
    0,
  );
  return id > 0 ? id : null;
}

/**
 * Calls back once the page has been visible for so long in all; a page in the background lets no
 * time pass.
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

const sent = new Set<string>();

/**
 * Record an opening once a page load. One that did not reach the server may be recorded by the next
 * opening.
 */
export function recordOnce(encodedId: string): void {
  if (sent.has(encodedId)) return;
  sent.add(encodedId);
  recordShareVisit(encodedId).catch((error: unknown) => {
    sent.delete(encodedId);
    console.warn(error);
  });
}
