import { type ComponentType, lazy } from "react";
import { HomeScreen } from "@/screens/home/home-screen.tsx";

/** The screens' code. Home's is in the first bundle, each other's is fetched when it is opened. */
export const SCREENS: Readonly<Record<string, ComponentType>> = {
  home: HomeScreen,
  list: lazy(async () => ({ default: (await import("@/screens/list/list-screen.tsx")).ListScreen })),
  search: lazy(async () => ({ default: (await import("@/screens/search/search-screen.tsx")).SearchScreen })),
  searchList: lazy(async () => ({
    default: (await import("@/screens/search-results/search-results-screen.tsx")).SearchResultsScreen,
  })),
  playVideo: lazy(async () => ({
    default: (await import("@/screens/play-video/play-video-screen.tsx")).PlayVideoScreen,
  })),
  "not-found": lazy(async () => ({
    default: (await import("@/screens/not-found/not-found-screen.tsx")).NotFoundScreen,
  })),
};

/** Stands where a screen of the route table has no content yet. */
export const Upcoming = lazy(async () => ({
  default: (await import("@/screens/upcoming/upcoming-screen.tsx")).UpcomingScreen,
}));
