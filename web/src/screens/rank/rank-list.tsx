import "@/features/list/list.css";
import { useState } from "react";
import { PagedItems } from "@/features/list/paged-items.tsx";
import { PullRefresh } from "@/features/list/pull-refresh.tsx";
import { FIRST_CHOICE, type RankChoice, RankChooser } from "@/features/rank/rank-choice.tsx";
import { RankRow, RankRowSkeleton } from "@/features/rank/rank-row.tsx";
import { listRank } from "@/shared/api/discovery-calls.ts";
import { showMessage } from "@/shared/messages/message-store.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import { usePagedList } from "@/shared/server-state/use-paged-list.ts";
import { useDeviceClass } from "@/shared/ui/device-class.ts";
import { StatePanel } from "@/shared/ui/state-panel.tsx";

/** Ranks of 100 places; also the middle tab of /find. */
export function RankList() {
  const [choice, setChoice] = useState(FIRST_CHOICE);
  return (
    <div className="list-body has-tab-space">
      <RankChooser choice={choice} onChange={setChoice} />
      <ChosenRank key={`${choice.kind} ${choice.period}`} {...choice} />
    </div>
  );
}

function ChosenRank({ kind, period }: RankChoice) {
  const [list, state] = usePagedList((page, signal) =>
    listRank({ type: kind, period, page }, signal),
  );
  const refresh = async () => {
    await list.restart();
    if (list.state().status !== "error") showMessage(TEXT.refreshed);
  };
  return (
    <PullRefresh onRefresh={refresh}>
      <PagedItems
        list={list}
        state={state}
        columns={useDeviceClass() === "pc" ? 2 : 1}
        chunkClass="chunk-ranks"
        renderItem={(video) => <RankRow key={video.id} video={video} kind={kind} />}
        skeleton={<RankRowSkeleton />}
        empty={<StatePanel title="还没有排行" text="有人看过视频之后，排行就会出现。" />}
      />
    </PullRefresh>
  );
}
