import { FindScreen } from "@/screens/find/find-screen.tsx";
import { coming } from "./coming-screen.tsx";

const PAGES = {
  artist: coming(async () => (await import("@/screens/find/artist-tab.tsx")).ArtistTab),
  rank: coming(async () => (await import("@/screens/rank/rank-list.tsx")).RankList),
  tags: coming(async () => (await import("@/screens/find/tags-tab.tsx")).TagsTab),
};

/** /find with its tabs; each tab's code is loaded when it is opened. */
export function Find() {
  return <FindScreen pages={PAGES} />;
}
