/** A page that nobody touches or scrolls for so long stands still, in milliseconds. */
const STILL_MS = 300;
/**
 * What waits for that runs after so long at the latest, in milliseconds: some pages never stand
 * still.
 */
const LAST_MS = 30_000;

/**
 * Run a task once, after a while; a visitor's first touch ends the wait, but no task falls into a
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
    // On its way down: what is scrolled inside the page does not send its event up.
    window.addEventListener(name, wait, { capture: true, passive: true, signal: stop.signal });
  }
}
