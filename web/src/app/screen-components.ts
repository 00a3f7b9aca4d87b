import { type ComponentType, lazy } from "react";
import { HomeScreen } from "@/screens/home/home-screen.tsx";

/** A screen whose code, and the query cache with it, is fetched when it is opened. */
function querying(load: () => Promise<ComponentType>): ComponentType {
  return lazy(async () => {
    const [{ withQueries }, screen] = await Promise.all([import("./query-scope.tsx"), load()]);
    return { default: withQueries(screen) };
  });
}

/** The screens' code. Home's is in the first bundle. */
export const SCREENS: Readonly<Record<string, ComponentType>> = {
  home: HomeScreen,
  list: lazy(async () => ({ default: (await import("@/screens/list/list-screen.tsx")).ListScreen })),
  search: lazy(async () => ({ default: (await import("@/screens/search/search-screen.tsx")).SearchScreen })),
  searchList: lazy(async () => ({
    default: (await import("@/screens/search-list/search-list-screen.tsx")).SearchListScreen,
  })),
  "rank-page-view": lazy(async () => ({ default: (await import("@/screens/rank/rank-screen.tsx")).RankScreen })),
  find: lazy(async () => ({ default: (await import("./find.tsx")).Find })),
  "artist-details": lazy(async () => ({
    default: (await import("@/screens/artist-details/artist-details-screen.tsx")).ArtistDetailsScreen,
  })),
  miin: lazy(async () => ({ default: (await import("@/screens/miin/miin-screen.tsx")).MiinScreen })),
  favorites: lazy(async () => ({
    default: (await import("@/screens/favorites/favorites-screen.tsx")).FavoritesScreen,
  })),
  mine: lazy(async () => ({ default: (await import("@/screens/mine/mine-screen.tsx")).MineScreen })),
  collectVideo: lazy(async () => ({
    default: (await import("@/screens/collect-video/collect-video-screen.tsx")).CollectVideoScreen,
  })),
  vendor: lazy(async () => ({ default: (await import("@/screens/vendor/vendor-screen.tsx")).VendorScreen })),
  playVideo: querying(async () => (await import("@/screens/play-video/play-video-screen.tsx")).PlayVideoScreen),
  "not-found": lazy(async () => ({
    default: (await import("@/screens/not-found/not-found-screen.tsx")).NotFoundScreen,
  })),
};

/** Stands where a screen of the route table has no content yet. */
export const Upcoming: ComponentType = lazy(async () => ({
  default: (await import("@/screens/upcoming/upcoming-screen.tsx")).UpcomingScreen,
}));
