import type { ComponentType } from "react";
import { HomeScreen } from "@/screens/home/home-screen.tsx";
import { type ComingScreen, coming } from "./coming-screen.tsx";

export const PlayVideo = coming(
  async () => (await import("@/screens/play-video/play-video-screen.tsx")).PlayVideoScreen,
);

/** Shown for an unknown address. */
export const NotFound = coming(
  async () => (await import("@/screens/not-found/not-found-screen.tsx")).NotFoundScreen,
);

/** The screens' code. Home's is in the first bundle. */
export const SCREENS: Readonly<Record<string, ComponentType & Partial<ComingScreen>>> = {
  home: HomeScreen,
  list: coming(async () => (await import("@/screens/list/list-screen.tsx")).ListScreen),
  search: coming(async () => (await import("@/screens/search/search-screen.tsx")).SearchScreen),
  searchList: coming(
    async () => (await import("@/screens/search-list/search-list-screen.tsx")).SearchListScreen,
  ),
  "rank-page-view": coming(async () => (await import("@/screens/rank/rank-screen.tsx")).RankScreen),
  find: coming(async () => (await import("./find.tsx")).Find),
  "artist-details": coming(
    async () =>
      (await import("@/screens/artist-details/artist-details-screen.tsx")).ArtistDetailsScreen,
  ),
  topic: coming(async () => (await import("@/screens/topic/topic-screen.tsx")).TopicScreen),
  miin: coming(async () => (await import("@/screens/miin/miin-screen.tsx")).MiinScreen),
  favorites: coming(
    async () => (await import("@/screens/favorites/favorites-screen.tsx")).FavoritesScreen,
  ),
  mine: coming(async () => (await import("@/screens/mine/mine-screen.tsx")).MineScreen),
  collectVideo: coming(
    async () =>
      (await import("@/screens/collect-video/collect-video-screen.tsx")).CollectVideoScreen,
  ),
  vendor: coming(async () => (await import("@/screens/vendor/vendor-screen.tsx")).VendorScreen),
  playVideo: PlayVideo,
  playVideoShare: coming(
    async () =>
      (await import("@/screens/play-video/play-video-share-screen.tsx")).PlayVideoShareScreen,
  ),
};
