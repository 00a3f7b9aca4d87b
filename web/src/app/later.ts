import type { RuntimeConfig } from "@/shared/api/model.ts";
import { useClientStore } from "@/shared/store/client-store.ts";
import { whenIdle } from "@/shared/when-idle.ts";
import { PlayVideo } from "./screen-components.ts";

/** How long the first screen has the network for itself, in milliseconds; a visitor's first touch ends it. */
const HEAD_START_MS = 2500;

/** What makes later taps fast and may wait until the first screen is drawn. */
export function startLater(config: RuntimeConfig): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = new AbortController();
  const start = () => {
    stop.abort();
    clearTimeout(timer);
    whenIdle(() => void import("@/player/preload.ts").then((player) => player.preloadPlayer()));
    whenIdle(() => void PlayVideo.preload().catch((error: unknown) => console.info("播放页预加载失败", error)));
    whenIdle(() => void registerServiceWorker(config));
  };
  withSession(config, () =>
    whenIdle(() => void import("@/features/notices/watch-notices.ts").then((notices) => notices.watchNotices())),
  );
  timer = setTimeout(start, HEAD_START_MS);
  for (const name of ["pointerdown", "keydown", "scroll"] as const) {
    window.addEventListener(name, start, { once: true, passive: true, signal: stop.signal });
  }
}

/** Runs a task that calls the server: at once, or where a session is needed as soon as there is one. */
function withSession({ isAuthRequired }: RuntimeConfig, task: () => void): void {
  if (!isAuthRequired || useClientStore.getState().token) return task();
  const stop = useClientStore.subscribe(({ token }) => {
    if (!token) return;
    stop();
    task();
  });
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
