/** Without touching or scrolling for so long, the page counts as still, in milliseconds. */
const STILL_MS = 300;
/** Waiting tasks run after so long at the latest, in milliseconds: some pages never stand still. */
const LAST_MS = 30_000;

/**
 * Run a task once, after a delay; a visitor's first touch ends the delay, but no task runs during a
 * scroll.
 *
 * @param longest - How long nothing happens on a page that nobody touches, in milliseconds.
 */
export function whenStill(task: () => void, longest: number): void {
  const stop = new AbortController();
  const run = () => {
    stop.abort();
    clearTimeout(timer);
    clearTimeout(last);
    task();
  };
  let timer = setTimeout(run, longest);
  const last = setTimeout(run, LAST_MS);
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(run, STILL_MS);
  };
  for (const name of ["pointerdown", "keydown", "scroll"] as const) {
    // In the capture phase: scroll events of inner elements do not bubble.
    window.addEventListener(name, wait, { capture: true, passive: true, signal: stop.signal });
  }
}
