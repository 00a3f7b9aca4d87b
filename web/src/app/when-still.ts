/** A page that nobody touches or scrolls for so long stands still, in milliseconds. */
const STILL_MS = 300;

/**
 * Run a task once, after a while; a visitor's first touch ends the wait, but no task falls into a scroll.
 *
 * @param longest - How long nothing happens on a page that nobody touches, in milliseconds.
 */
export function whenStill(task: () => void, longest: number): void {
  const stop = new AbortController();
  const run = () => {
    stop.abort();
    task();
  };
  let timer = setTimeout(run, longest);
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(run, STILL_MS);
  };
  for (const name of ["pointerdown", "keydown", "scroll"] as const) {
    window.addEventListener(name, wait, { passive: true, signal: stop.signal });
  }
}
