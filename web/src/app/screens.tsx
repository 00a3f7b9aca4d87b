import { Suspense, useEffect } from "react";
import { reportPageView } from "@/shared/analytics/page-views.ts";
import { useConfig } from "@/shared/config/config.ts";
import type { Location } from "@/shared/navigation/history.ts";
import { Redirect, useLocation } from "@/shared/navigation/navigation.tsx";
import { useClientStore } from "@/shared/store/client-store.ts";
import { KeptViews } from "@/shared/ui/kept-views.tsx";
import { isGuarded, redirectOf, routeOf, type ScreenRoute } from "./route-table.ts";
import { SCREENS, Upcoming } from "./screen-components.ts";
import { Waiting } from "./waiting.tsx";

/** Most screens alive at once (specification §9). */
const KEPT_SCREENS = 20;

function elementOf(route: ScreenRoute) {
  const Screen = SCREENS[route.screen] ?? Upcoming;
  return (
    <Suspense fallback={<Waiting />}>
      <Screen />
    </Suspense>
  );
}

/** After each navigation, except to /playLink or to an unchanged path (specification §2). */
function usePageViews(location: Location): void {
  const { pathname } = location;
  useEffect(() => {
    const { name } = routeOf(pathname);
    if (name !== "playLink") reportPageView(pathname, name);
  }, [pathname]);
}

/** The screen of the address, with the others that are kept alive behind it. */
export function Screens() {
  const location = useLocation();
  const { isShowAd, isAuthRequired } = useConfig();
  const token = useClientStore((state) => state.token);
  usePageViews(location);

  const target = isGuarded(location.pathname, token, isAuthRequired)
    ? "/vendor"
    : redirectOf(location.pathname, location.search, isShowAd);
  if (target !== null) return <Redirect to={target} />;

  const route = routeOf(location.pathname);
  return (
    <KeptViews
      activeKey={route.screen}
      location={location}
      element={elementOf(route)}
      isKept={route.isKept}
      limit={KEPT_SCREENS}
      topic={route.screen === "find" ? "" : location.search}
    />
  );
}
