import { lazy } from "react";
import { FindScreen } from "@/screens/find/find-screen.tsx";

const PAGES = {
  artist: lazy(async () => ({
    default: (await import("@/screens/find/artist-tab.tsx")).ArtistTab,
  })),
  rank: lazy(async () => ({ default: (await import("@/screens/rank/rank-list.tsx")).RankList })),
  tags: lazy(async () => ({ default: (await import("@/screens/find/tags-tab.tsx")).TagsTab })),
};

/** /find with its tabs; each one's code is fetched when it is opened. */
export function Find() {
  return <FindScreen pages={PAGES} />;
}
