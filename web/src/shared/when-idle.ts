/** Longest wait for a quiet moment, in milliseconds. */
const MAX_WAIT_MS = 2000;

/** Run a task when the browser is idle. Safari has no API for it: there a moment later. */
export function whenIdle(task: () => void): void {
  if ("requestIdleCallback" in window) window.requestIdleCallback(task, { timeout: MAX_WAIT_MS });
  else setTimeout(task, 200);
}
