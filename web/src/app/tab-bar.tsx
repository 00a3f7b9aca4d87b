"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.

import "./tab-bar.css";
import { IconMoon } from "@tabler/icons-react";
import type { TabEntry } from "@/shared/api/model.ts";
import { useConfig } from "@/shared/config/config.ts";
import { siteIdentity } from "@/shared/config/site.ts";
import { Link, useLocation } from "@/shared/navigation/navigation.tsx";
import { useClientStore } from "@/shared/store/client-store.ts";
import { useNoticeDot } from "@/shared/store/notice-dot.ts";
import { Emblem } from "@/shared/ui/emblem.tsx";
import { drawnTheme, setTheme } from "@/shared/ui/theme.ts";
import { ROUTES, routeOf } from "./route-table.ts";
import { TabIcon } from "./tab-icons.tsx";

const PATHS = new Map(ROUTES.map(({ name, path }) => [name, path]));

/**
 * The site's main navigation: a bar at the bottom on phones and tablets, a rail at the side on wide
 * screens.
 */
export function TabBar() {
  const { pathname } = useLocation();
  const { tabs } = useConfig();
  const route = routeOf(pathname);
  return (
    <nav
      className={`tab-bar ${route.hasTabBar ? "has-tab-bar" : "is-rail-only"} ${route.name === "miin" ? "is-dark" : ""}`}
      aria-label="主导航"
    >
      <Link
        to="/home"
        className="tab-bar-emblem"
        aria-label={`${siteIdentity().name}首页`}
        tabIndex={-1}
      >
        <Emblem />
      </Link>
      {tabs.map((tab) => (
        <Tab key={tab.key} tab={tab} isActive={tab.routes.includes(route.name)} />
      ))}
      <button
        type="button"
        className="tab tab-theme"
        onClick={() => setTheme(drawnTheme() === "dark" ? "light" : "dark")}
      >
        <IconMoon stroke={1.75} aria-hidden="true" />
        主题
      </button>
    </nav>
  );
}

function Tab({ tab, isActive }: { readonly tab: TabEntry; readonly isActive: boolean }) {
  const { pathname } = useLocation();
  const hasNews = useNoticeDot((state) => state.isShown);
  const hasDot = hasNews && tab.routes.includes("mine");
  const content = (
    <>
      <TabIcon name={tab.icon} />
      {tab.name}
      {hasDot && <span className="tab-dot" role="img" aria-label="有新公告" />}
    </>
  );
  if (tab.opens === "link") {
    return (
      <a className="tab" href={tab.url} target="_blank" rel="noopener noreferrer">
        {content}
      </a>
    );
  }
  const to = PATHS.get(tab.routes[0] ?? "") ?? tab.url;
  const onClick = () => {
    useClientStore.setState({ tab: tab.key });
    if (pathname === to) window.scrollTo({ top: 0, behavior: "smooth" });
  };
  return (
    <Link
      className={`tab ${isActive ? "is-active" : ""}`}
      to={to}
      aria-current={isActive ? "page" : undefined}
      onClick={onClick}
    >
      {content}
    </Link>
  );
}
