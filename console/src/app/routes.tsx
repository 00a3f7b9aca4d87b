import type { QueryClient } from "@tanstack/react-query";
import { createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { CONTENT } from "@/app/content-routes.tsx";
import { root, shell } from "@/app/shell-route.tsx";
import { SEARCH, type Search } from "@/features/videos/search.ts";
import { isJobState, type JobState } from "@/screens/jobs/states.ts";
import { type Part, partOf } from "@/screens/video/parts.ts";

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
  // Beside its part, the list that one comes from.
  validateSearch: (search): Search & { part?: Exclude<Part, "text"> } => ({
    ...SEARCH.parse(search),
    ...partOf(search.part),
  }),
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

const backups = createRoute({
  getParentRoute: () => shell,
  path: "/backups",
  component: lazyRouteComponent(
    () => import("@/screens/backups/backups-screen.tsx"),
    "BackupsScreen",
  ),
});

const doctor = createRoute({
  getParentRoute: () => shell,
  path: "/doctor",
  component: lazyRouteComponent(() => import("@/screens/doctor/doctor-screen.tsx"), "DoctorScreen"),
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
    backups,
    doctor,
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
