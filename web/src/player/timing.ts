/**
 * Runs `task` once after `ms` milliseconds unless `signal` aborts first.
 *
 * @returns a function that calls the task off.
 */
export function after(ms: number, task: () => void, signal?: AbortSignal): () => void {
  if (signal?.aborted) return () => {};
  const cancel = () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
  };
  const timer = setTimeout(() => {
    signal?.removeEventListener("abort", cancel);
    task();
  }, ms);
  signal?.addEventListener("abort", cancel, { once: true });
  return cancel;
}

/** Resolves in a task of its own: the browser draws and handles touches first. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Runs `task` every `ms` milliseconds until `signal` aborts. */
export function every(ms: number, task: () => void, signal: AbortSignal): void {
  if (signal.aborted) return;
  const timer = setInterval(task, ms);
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}
