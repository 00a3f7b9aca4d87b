import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shell } from "@/app/shell-route.tsx";

/** What visitors see beside the videos. */
const content = createRoute({
  getParentRoute: () => shell,
  path: "/content",
  component: lazyRouteComponent(
    () => import("@/screens/content/content-screen.tsx"),
    "ContentScreen",
  ),
});

const ads = createRoute({
  getParentRoute: () => shell,
  path: "/content/ads",
  component: lazyRouteComponent(() => import("@/screens/ads/ads-screen.tsx"), "AdsScreen"),
});

const banners = createRoute({
  getParentRoute: () => shell,
  path: "/content/banners",
  component: lazyRouteComponent(
    () => import("@/screens/banners/banners-screen.tsx"),
    "BannersScreen",
  ),
});

const notices = createRoute({
  getParentRoute: () => shell,
  path: "/content/notices",
  component: lazyRouteComponent(
    () => import("@/screens/notices/notices-screen.tsx"),
    "NoticesScreen",
  ),
});

const hotWords = createRoute({
  getParentRoute: () => shell,
  path: "/content/hot-words",
  component: lazyRouteComponent(
    () => import("@/screens/hot-words/hot-words-screen.tsx"),
    "HotWordsScreen",
  ),
});

const categories = createRoute({
  getParentRoute: () => shell,
  path: "/content/categories",
  component: lazyRouteComponent(
    () => import("@/screens/categories/categories-screen.tsx"),
    "CategoriesScreen",
  ),
});

const tabs = createRoute({
  getParentRoute: () => shell,
  path: "/content/tabs",
  component: lazyRouteComponent(() => import("@/screens/tabs/tabs-screen.tsx"), "TabsScreen"),
});

const topics = createRoute({
  getParentRoute: () => shell,
  path: "/content/topics",
  component: lazyRouteComponent(() => import("@/screens/topics/topics-screen.tsx"), "TopicsScreen"),
});

const links = createRoute({
  getParentRoute: () => shell,
  path: "/content/links",
  component: lazyRouteComponent(() => import("@/screens/links/links-screen.tsx"), "LinksScreen"),
});

const artists = createRoute({
  getParentRoute: () => shell,
  path: "/content/artists",
  component: lazyRouteComponent(
    () => import("@/screens/artists/artists-screen.tsx"),
    "ArtistsScreen",
  ),
});

const labels = createRoute({
  getParentRoute: () => shell,
  path: "/content/labels",
  component: lazyRouteComponent(() => import("@/screens/labels/labels-screen.tsx"), "LabelsScreen"),
});

const partners = createRoute({
  getParentRoute: () => shell,
  path: "/content/partners",
  component: lazyRouteComponent(
    () => import("@/screens/partners/partners-screen.tsx"),
    "PartnersScreen",
  ),
});

const site = createRoute({
  getParentRoute: () => shell,
  path: "/content/site",
  component: lazyRouteComponent(() => import("@/screens/site/site-screen.tsx"), "SiteScreen"),
});

const ageGate = createRoute({
  getParentRoute: () => shell,
  path: "/content/age-gate",
  component: lazyRouteComponent(
    () => import("@/screens/age-gate/age-gate-screen.tsx"),
    "AgeGateScreen",
  ),
});

const removals = createRoute({
  getParentRoute: () => shell,
  path: "/content/removals",
  component: lazyRouteComponent(
    () => import("@/screens/removals/removals-screen.tsx"),
    "RemovalsScreen",
  ),
});

const settings = createRoute({
  getParentRoute: () => shell,
  path: "/content/settings",
  component: lazyRouteComponent(
    () => import("@/screens/settings/settings-screen.tsx"),
    "SettingsScreen",
  ),
});

export const CONTENT = [
  content,
  ads,
  banners,
  notices,
  hotWords,
  categories,
  tabs,
  topics,
  links,
  artists,
  labels,
  partners,
  site,
  ageGate,
  removals,
  settings,
] as const;
