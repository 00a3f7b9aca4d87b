import type { ComponentType } from "react";
import { HomeScreen } from "@/screens/home/home-screen.tsx";
import { coming } from "./coming-screen.tsx";

/** The player's page, and the query cache that only it needs. */
export const PlayVideo = coming(async () => {
  const [{ withQueries }, { PlayVideoScreen }] = await Promise.all([
    import("./query-scope.tsx"),
    import("@/screens/play-video/play-video-screen.tsx"),
  ]);
  return withQueries(PlayVideoScreen);
});

/** The page behind a share link. */
const PlayVideoShare = coming(async () => {
  const [{ withQueries }, { PlayVideoShareScreen }] = await Promise.all([
    import("./query-scope.tsx"),
    import("@/screens/play-video/play-video-share-screen.tsx"),
  ]);
  return withQueries(PlayVideoShareScreen);
});

/** The screens' code. Home's is in the first bundle. */
export const SCREENS: Readonly<Record<string, ComponentType>> = {
  home: HomeScreen,
  list: coming(async () => (await import("@/screens/list/list-screen.tsx")).ListScreen),
  search: coming(async () => (await import("@/screens/search/search-screen.tsx")).SearchScreen),
  searchList: coming(async () => (await import("@/screens/search-list/search-list-screen.tsx")).SearchListScreen),
  "rank-page-view": coming(async () => (await import("@/screens/rank/rank-screen.tsx")).RankScreen),
  find: coming(async () => (await import("./find.tsx")).Find),
  "artist-details": coming(
    async () => (await import("@/screens/artist-details/artist-details-screen.tsx")).ArtistDetailsScreen,
  ),
  miin: coming(async () => (await import("@/screens/miin/miin-screen.tsx")).MiinScreen),
  favorites: coming(async () => (await import("@/screens/favorites/favorites-screen.tsx")).FavoritesScreen),
  mine: coming(async () => (await import("@/screens/mine/mine-screen.tsx")).MineScreen),
  collectVideo: coming(
    async () => (await import("@/screens/collect-video/collect-video-screen.tsx")).CollectVideoScreen,
  ),
  vendor: coming(async () => (await import("@/screens/vendor/vendor-screen.tsx")).VendorScreen),
  playVideo: PlayVideo,
  playVideoShare: PlayVideoShare,
  "not-found": coming(async () => (await import("@/screens/not-found/not-found-screen.tsx")).NotFoundScreen),
};

/** Stands where a screen of the route table has no content yet. */
export const Upcoming: ComponentType = coming(
  async () => (await import("@/screens/upcoming/upcoming-screen.tsx")).UpcomingScreen,
);
