import "@/shared/ui/collect/collect.css";
import { useStoredCovers } from "@/features/age-gate/use-stored-covers.ts";
import { clearWatched } from "@/features/history/watched.ts";
import { WatchedGrid } from "@/features/history/watched-grid.tsx";
import { showMessage } from "@/shared/messages/message-store.ts";
import { useSearchParams } from "@/shared/navigation/navigation.tsx";
import { UUID } from "@/shared/storage/entries.ts";
import { HISTORY } from "@/shared/storage/screen-entries.ts";
import { useStored } from "@/shared/storage/use-stored.ts";
import { NavBar } from "@/shared/ui/nav-bar.tsx";
import { StatePanel } from "@/shared/ui/state-panel.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";
import { FavouriteList } from "./favourite-list.tsx";
import { HomeLink } from "./home-link.tsx";

/** `/collectVideo?type=history|favorite` (specification §2). */
export function CollectVideoScreen() {
  const [params] = useSearchParams();
  return params.get("type") === "favorite" ? <Favourites /> : <History />;
}

function History() {
  const videos = useStored(HISTORY);
  const isReady = useStoredCovers(videos);
  useTitle("观看历史");
  const clear = () => showMessage("观看历史已清空", { label: "撤销", run: clearWatched() });
  return (
    <>
      <NavBar title="观看历史">
        {videos.length > 0 && (
          <button type="button" className="nav-text" onClick={clear}>
            清空
          </button>
        )}
      </NavBar>
      {videos.length > 0 ? (
        <div className="collect-body">{isReady && <WatchedGrid videos={videos} />}</div>
      ) : (
        <StatePanel
          title="还没有看过视频"
          text="看过的视频会出现在这里，只保存在这台设备上。"
          action={<HomeLink />}
        />
      )}
    </>
  );
}

function Favourites() {
  const code = useStored(UUID);
  useTitle("我喜欢的");
  return (
    <>
      <NavBar title="我喜欢的" />
      <FavouriteList key={code} code={code} />
    </>
  );
}
