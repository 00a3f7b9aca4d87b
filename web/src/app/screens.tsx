"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.
import { Suspense, useEffect, useLayoutEffect, useMemo } from "react";
import { reportPageView } from "@/shared/analytics/page-views.ts";
import { useConfig } from "@/shared/config/config.ts";
import { type Location, navigate } from "@/shared/navigation/history.ts";
import { useLocation } from "@/shared/navigation/navigation.tsx";
import { keepReturnPath } from "@/shared/partner/departure.ts";
import { FIND_TAB } from "@/shared/storage/entries.ts";
import { read } from "@/shared/storage/registry.ts";
import { useClientStore } from "@/shared/store/client-store.ts";
import { ViewCache } from "@/shared/ui/view-cache.tsx";
import {
  isForSessionsOnly,
  isGuarded,
  redirectOf,
  routeOf,
  type ScreenRoute,
} from "./route-table.ts";
import { ScreenBoundary } from "./screen-boundary.tsx";
import { NotFound, SCREENS } from "./screen-components.ts";
import { Waiting } from "./waiting.tsx";

/** Maximum number of cached screens (specification §9). */
const MAX_CACHED_SCREENS = 20;

function elementOf(route: ScreenRoute) {
  const Screen = SCREENS[route.screen] ?? NotFound;
  return (
    <ScreenBoundary onRetry={Screen.renew}>
      <Suspense fallback={<Waiting />}>
        <Screen />
      </Suspense>
    </ScreenBoundary>
  );
}

/**
 * After each navigation, except to /playLink or to an unchanged path (specification §2).
 *
 * @param isShown - Whether the screen is shown: who is led to the vendor page has not seen it.
 */
function usePageViews({ pathname }: Location, isShown: boolean): void {
  useEffect(() => {
    const { name } = routeOf(pathname);
    if (isShown && name !== "playLink") reportPageView(pathname, name);
  }, [pathname, isShown]);
}

function locationOf(address: string): Location {
  const { pathname, search } = new URL(address, window.location.href);
  return { pathname, search };
}

/** Redirects to the vendor page; a visitor who returns with a session continues here. */
function ToVendor() {
  useLayoutEffect(() => {
    keepReturnPath();
    navigate("/vendor", { replace: true });
  }, []);
  return null;
}

/** The screen of the address, and the cached ones behind it. */
export function Screens() {
  const asked = useLocation();
  const { isShowAd, isAuthRequired, loginVideoSwitch } = useConfig();
  const token = useClientStore((state) => state.token);
  const isGuest = useClientStore((state) => state.xbbBonus.isGuest);
  const target = redirectOf(asked, isShowAd, read(FIND_TAB));
  // Drawn directly as its target: cached screens must not be unmounted by a redirect.
  const location = useMemo(() => (target === null ? asked : locationOf(target)), [asked, target]);
  useLayoutEffect(() => {
    if (target !== null) navigate(target, { replace: true });
  }, [target]);
  const { pathname, search } = location;
  const isTurnedAway =
    isGuarded(pathname, token, isAuthRequired) ||
    isForSessionsOnly(pathname, isGuest, loginVideoSwitch);
  usePageViews(location, !isTurnedAway);
  if (isTurnedAway) return <ToVendor />;

  const route = routeOf(pathname);
  return (
    <ViewCache
      activeKey={route.screen}
      location={location}
      element={elementOf(route)}
      isCached={route.isCached}
      limit={MAX_CACHED_SCREENS}
      topic={route.screen === "find" ? "" : search}
    />
  );
}
