import { watchAds } from "@/features/ad-counting/watch-ads.ts";
import { watchNotices } from "@/features/notices/watch-notices.ts";
import { watchPopupAd } from "@/features/popup-ad/watch-popup-ad.tsx";
import type { RuntimeConfig } from "@/shared/api/model.ts";
import { renewOnReturn } from "@/shared/server-state/renewal.ts";
import { useClientStore } from "@/shared/store/client-store.ts";

/**
 * Work beside the screens, once per page load. A phone never loads what only a mouse can request.
 */
export function startBackground(config: RuntimeConfig): void {
  renewOnReturn();
  withSession(config, () => {
    watchNotices();
    if (!config.isShowAd) return;
    void watchPopupAd();
    watchAds();
  });
  if (matchMedia("(hover: hover) and (pointer: fine)").matches) {
    void import("@/features/hover-preview/watch-hover-preview.ts").then((preview) =>
      preview.watchHoverPreview(),
    );
  }
  void registerServiceWorker(config);
}

/**
 * Runs a task that calls the server: at once, or where a session is needed, as soon as there is
 * one.
 */
function withSession({ isAuthRequired }: RuntimeConfig, task: () => void): void {
  if (!isAuthRequired || useClientStore.getState().token) return task();
  const stop = useClientStore.subscribe(({ token }) => {
    if (!token) return;
    stop();
    task();
  });
}

/**
 * From then on `<img>` shows encrypted images directly. Absent on plain HTTP, where the page opens
 * them itself.
 */
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
