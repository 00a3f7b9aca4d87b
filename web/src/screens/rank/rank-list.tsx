import "@/features/list/list.css";
import { PagedItems } from "@/features/list/paged-items.tsx";
import { PullRefresh } from "@/features/list/pull-refresh.tsx";
import { usePagedList } from "@/features/list/use-paged-list.ts";
import { rankPage } from "@/features/rank/rank-pages.ts";
import { RankRow, RankRowSkeleton } from "@/features/rank/rank-row.tsx";
import { listVideos } from "@/shared/api/calls.ts";
import { showMessage } from "@/shared/messages/message-store.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import { useDeviceClass } from "@/shared/ui/device-class.ts";
import { StatePanel } from "@/shared/ui/state-panel.tsx";

const ALL = 0;

async function loadRank(page: number, signal: AbortSignal) {
  return rankPage(await listVideos(ALL, { orderby: "hot", page }, signal), page);
}

/** The 100 most watched videos of all categories; also the middle tab of /find. */
export function RankList() {
  const [list, state] = usePagedList(loadRank);
  const refresh = async () => {
    await list.restart();
    if (list.state().status !== "error") showMessage(TEXT.refreshed);
  };
  return (
    <div className="list-body has-tab-space">
      <PullRefresh onRefresh={refresh}>
        <PagedItems
          list={list}
          state={state}
          columns={useDeviceClass() === "pc" ? 2 : 1}
          chunkClass="chunk-ranks"
          renderItem={(video) => <RankRow key={video.id} video={video} />}
          skeleton={<RankRowSkeleton />}
          empty={<StatePanel title="还没有排行" text="有人看过视频之后，排行就会出现。" />}
        />
      </PullRefresh>
    </div>
  );
}
