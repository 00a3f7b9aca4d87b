import { configureMedia } from "@/player/media-address.ts";
import { configureApi } from "@/shared/api/client.ts";
import type { RuntimeConfig } from "@/shared/api/model.ts";
import { configureCovers } from "@/shared/covers/cover-store.ts";
import { onPlayIntent } from "@/shared/intent.ts";
import { visitorCode, visitorId } from "@/shared/storage/identity.ts";
import { openClientStore, useClientStore } from "@/shared/store/client-store.ts";

/** Connect what the page uses with where it runs; called once before the first drawing. */
export function startSurroundings(config: RuntimeConfig): void {
  window.history.scrollRestoration = "manual";
  markDocument();
  openClientStore(config.isShowAd);
  configureCovers({ keys: config.coverKeys, mediaBase: config.mediaBase });
  configureMedia(config.mediaBase);
  configureApi({
    baseUrl: config.apiBase,
    token: () => (config.isAuthRequired ? useClientStore.getState().token || null : null),
    onUnauthorized: (message) =>
      window.location.assign(`/vendor?${new URLSearchParams({ logout: "logout", msg: message })}`),
  });
  onPlayIntent(async (video) => (await import("@/player/preload.ts")).preloadPlay(video));
  visitorCode();
  visitorId();
  trackWidth();
}

/** Classes for iOS and for a page inside another's frame (specification §1). */
function markDocument(): void {
  const { userAgent, maxTouchPoints } = window.navigator;
  // An iPad names itself a Mac; only its touch points tell.
  const isIos = /iP(hone|ad|od)/.test(userAgent) || (userAgent.includes("Macintosh") && maxTouchPoints > 1);
  document.documentElement.classList.toggle("is-ios", isIos);
  document.documentElement.classList.toggle("is-framed", window.self !== window.top);
}

function trackWidth(): void {
  const update = () => useClientStore.setState({ resizeData: { clientWidth: document.documentElement.clientWidth } });
  update();
  window.addEventListener("resize", update);
}
