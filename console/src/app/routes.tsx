import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { NotFound } from "@/app/not-found.tsx";
import { Shell } from "@/app/shell.tsx";
import { ME } from "@/features/session/me.ts";
import { SEARCH } from "@/features/videos/search.ts";
import { isJobState, type JobState } from "@/screens/jobs/states.ts";
import { partOf } from "@/screens/video/parts.ts";
import { CallError } from "@/shared/api/call.ts";

const root = createRootRouteWithContext<{ client: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFound,
});

const login = createRoute({
  getParentRoute: () => root,
  path: "/login",
  component: lazyRouteComponent(() => import("@/screens/login/login-screen.tsx"), "LoginScreen"),
});

const enter = createRoute({
  getParentRoute: () => root,
  path: "/enter",
  component: lazyRouteComponent(() => import("@/screens/enter/enter-screen.tsx"), "EnterScreen"),
});

/** Whatever needs a session. */
const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  component: Shell,
  beforeLoad: async ({ context }) => {
    try {
      await context.client.ensureQueryData(ME);
    } catch (error) {
      // A server that cannot be reached is said by the page itself.
      if (error instanceof CallError && error.status === 401) throw redirect({ to: "/login" });
    }
  },
});

const overview = createRoute({
  getParentRoute: () => shell,
  path: "/",
  component: lazyRouteComponent(
    () => import("@/screens/overview/overview-screen.tsx"),
    "OverviewScreen",
  ),
});

const jobs = createRoute({
  getParentRoute: () => shell,
  path: "/jobs",
  validateSearch: ({
    state,
    page,
  }): { state?: JobState | undefined; page?: number | undefined } => ({
    ...(isJobState(state) ? { state } : {}),
    ...(Number.isInteger(page) && Number(page) > 1 ? { page: Number(page) } : {}),
  }),
  component: lazyRouteComponent(() => import("@/screens/jobs/jobs-screen.tsx"), "JobsScreen"),
});

const visitors = createRoute({
  getParentRoute: () => shell,
  path: "/visitors",
  validateSearch: (search): { kind?: "reports" | "feedback" } =>
    search.kind === "feedback" || search.kind === "reports" ? { kind: search.kind } : {},
  component: lazyRouteComponent(
    () => import("@/screens/visitors/visitors-screen.tsx"),
    "VisitorsScreen",
  ),
});

const videos = createRoute({
  getParentRoute: () => shell,
  path: "/videos",
  validateSearch: SEARCH,
  component: lazyRouteComponent(() => import("@/screens/videos/videos-screen.tsx"), "VideosScreen"),
});

const video = createRoute({
  getParentRoute: () => shell,
  path: "/videos/$id",
  validateSearch: ({ part }) => partOf(part),
  component: lazyRouteComponent(() => import("@/screens/video/video-screen.tsx"), "VideoScreen"),
});

const uploads = createRoute({
  getParentRoute: () => shell,
  path: "/uploads",
  component: lazyRouteComponent(
    () => import("@/screens/uploads/uploads-screen.tsx"),
    "UploadsScreen",
  ),
});

const figures = createRoute({
  getParentRoute: () => shell,
  path: "/figures",
  component: lazyRouteComponent(
    () => import("@/screens/figures/figures-screen.tsx"),
    "FiguresScreen",
  ),
});

const more = createRoute({
  getParentRoute: () => shell,
  path: "/more",
  component: lazyRouteComponent(() => import("@/screens/more/more-screen.tsx"), "MoreScreen"),
});

const audit = createRoute({
  getParentRoute: () => shell,
  path: "/audit",
  component: lazyRouteComponent(() => import("@/screens/audit/audit-screen.tsx"), "AuditScreen"),
});

const sessions = createRoute({
  getParentRoute: () => shell,
  path: "/sessions",
  component: lazyRouteComponent(
    () => import("@/screens/sessions/sessions-screen.tsx"),
    "SessionsScreen",
  ),
});

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

const settings = createRoute({
  getParentRoute: () => shell,
  path: "/content/settings",
  component: lazyRouteComponent(
    () => import("@/screens/settings/settings-screen.tsx"),
    "SettingsScreen",
  ),
});

const CONTENT = [
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
  settings,
] as const;

const tree = root.addChildren([
  login,
  enter,
  shell.addChildren([
    overview,
    videos,
    video,
    uploads,
    jobs,
    visitors,
    figures,
    more,
    audit,
    sessions,
    ...CONTENT,
  ]),
]);

export function createConsoleRouter(client: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { client },
    scrollRestoration: true,
    defaultPreload: "intent",
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
