import type { RuntimeConfig } from "@/shared/api/model.ts";

/** Longest wait for a quiet moment, in milliseconds. */
const IDLE_MS = 3000;

function whenIdle(task: () => void): void {
  if ("requestIdleCallback" in window) window.requestIdleCallback(task, { timeout: IDLE_MS });
  else setTimeout(task, IDLE_MS);
}

/** What makes later taps fast and may wait until the page is drawn. */
export function startWhenIdle(config: RuntimeConfig): void {
  const start = () => {
    whenIdle(() => void registerServiceWorker(config));
    whenIdle(() => void import("@/player/preload.ts").then((player) => player.preloadPlayer()));
    whenIdle(() => void import("@/screens/play-video/play-video-screen.tsx"));
  };
  if (document.readyState === "complete") start();
  else window.addEventListener("load", start, { once: true });
}

/** From then on `<img>` shows sealed pictures directly. Absent on plain HTTP, where the page opens them itself. */
async function registerServiceWorker({ coverKeys }: RuntimeConfig): Promise<void> {
  if (!("serviceWorker" in navigator) || !import.meta.env.PROD) return;
  try {
    await navigator.serviceWorker.register("/service-worker.js");
    const { active } = await navigator.serviceWorker.ready;
    active?.postMessage({ coverKeys });
  } catch (error) {
    console.warn(error);
  }
}
