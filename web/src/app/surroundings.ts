import { configureMedia } from "@/player/media-address.ts";
import { onPageView } from "@/shared/analytics/page-views.ts";
import { configureApi } from "@/shared/api/client.ts";
import { openWith } from "@/shared/api/get.ts";
import type { AgeGate, RuntimeConfig } from "@/shared/api/model.ts";
import { configureCovers } from "@/shared/covers/cover-store.ts";
import { onPlayIntent } from "@/shared/intent.ts";
import { loadCode } from "@/shared/load-code.ts";
import { currentLocation, navigate } from "@/shared/navigation/history.ts";
import { keepReturnPath } from "@/shared/partner/departure.ts";
import { isFramed } from "@/shared/partner/framed.ts";
import { visitorCode, visitorId } from "@/shared/storage/identity.ts";
import { openClientStore, useClientStore } from "@/shared/store/client-store.ts";

/** Connect the page with its environment; called once before the first rendering. */
export function startSurroundings(config: RuntimeConfig): void {
  window.history.scrollRestoration = "manual";
  markDocument();
  openClientStore(config.isShowAd);
  if (!config.isAuthRequired && useClientStore.getState().token)
    void import("@/shared/partner/session.ts").then((session) => session.endSessionsInTime());
  configureCovers({ keys: config.coverKeys, mediaBase: config.mediaBase });
  configureMedia(config.mediaBase);
  configureApi({
    baseUrl: config.apiBase,
    token: () => (config.isAuthRequired ? useClientStore.getState().token || null : null),
    onUnauthorized: leaveForVendor,
  });
  countPageViews(config);
  if (config.ageGate) openGate(config, config.ageGate);
  if (isFramed()) void import("./host.ts").then(({ followHost }) => followHost(config));
  onPlayIntent(async (video) => (await import("@/player/preload.ts")).preloadPlay(video));
  visitorCode();
  visitorId();
  trackWidth();
}

/**
 * The session is missing or over (specification §8). A new document keeps nothing of the old
 * session.
 */
function leaveForVendor(message: string): void {
  const target = `/vendor?${new URLSearchParams({ logout: "logout", msg: message })}`;
  keepReturnPath();
  if (currentLocation().pathname === "/vendor") navigate(target, { replace: true });
  else window.location.assign(target);
}

/** Every answer passes the age gate; its code is loaded only where there is one. */
function openGate(config: RuntimeConfig, gate: AgeGate): void {
  let arriving: ReturnType<typeof load> | null = null;
  const load = async () => {
    try {
      const part = await loadCode(() => import("@/features/age-gate/age-gate.tsx"));
      return part.createAgeGate(config, gate);
    } catch (error) {
      arriving = null; // The next answer asks for it again.
      throw error;
    }
  };
  const find = () => (arriving ??= load());
  openWith(find);
  find().catch(() => {});
}

/** Connects the operator's analytics tool; its code is loaded only if there is one. */
function countPageViews({ analytics }: RuntimeConfig): void {
  if (analytics.kind === "none") return;
  const arriving = import("./page-counter.ts").then(({ pageCounter }) => pageCounter(analytics));
  onPageView((path, name) => void arriving.then((report) => report(path, name)));
}

/** Classes for iOS and for a page inside another's frame (specification §1). */
function markDocument(): void {
  const { userAgent, maxTouchPoints } = window.navigator;
  // An iPad calls itself a Mac; only its touch points give it away.
  const isIos =
    /iP(hone|ad|od)/.test(userAgent) || (userAgent.includes("Macintosh") && maxTouchPoints > 1);
  document.documentElement.classList.toggle("is-ios", isIos);
  document.documentElement.classList.toggle("is-framed", isFramed());
}

function trackWidth(): void {
  const update = () =>
    useClientStore.setState({ resizeData: { clientWidth: document.documentElement.clientWidth } });
  update();
  window.addEventListener("resize", update);
}
