import "./favorites.css";
import { useState } from "react";
import { Placeholders } from "@/features/list/paged-items.tsx";
import { SwipePanes } from "@/features/list/swipe-panes.tsx";
import { TileSkeleton } from "@/features/list/tile-skeleton.tsx";
import { VideoResults } from "@/features/list/video-results.tsx";
import {
  type FavouriteUser,
  listFavouriteUsers,
  listUserVideos,
} from "@/shared/api/personal-calls.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import { Link } from "@/shared/navigation/navigation.tsx";
import type { PagedList } from "@/shared/server-state/paged-list.ts";
import type { ListState } from "@/shared/server-state/paging.ts";
import { usePagedList } from "@/shared/server-state/use-paged-list.ts";
import { UUID } from "@/shared/storage/entries.ts";
import { useStored } from "@/shared/storage/use-stored.ts";
import { StatePanel } from "@/shared/ui/state-panel.tsx";
import { TabHead } from "@/shared/ui/tab-head.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";
import { UserStrip } from "./user-strip.tsx";

const idOf = ({ id }: FavouriteUser) => id;

/** `/favorites`, 看看 (specification §2): other visitors' favourites. */
export function FavoritesScreen() {
  const code = useStored(UUID);
  useTitle("看看");
  return (
    <>
      <TabHead title="看看" />
      {/* The list shows the others: under another code it is another list. */}
      <Users key={code} />
    </>
  );
}

function Users() {
  const [list, state] = usePagedList(listFavouriteUsers, { keyOf: idOf });
  const [chosenId, setChosenId] = useState<string | null>(null);
  const place = Math.max(
    0,
    state.items.findIndex(({ id }) => id === chosenId),
  );
  const chosen = state.items[place];
  const choose = (user: FavouriteUser | undefined) => {
    if (!user) return;
    setChosenId(user.id);
    // Another visitor's videos start at the first.
    window.scrollTo(0, 0);
  };
  if (!chosen && (state.status === "finished" || state.status === "error"))
    return <NoUsers list={list} state={state} />;
  return (
    <>
      <UserStrip list={list} state={state} chosenId={chosen?.id ?? null} onChoose={choose} />
      {chosen && (
        <SwipePanes
          index={place}
          count={state.items.length}
          onChange={(next) => choose(state.items[next])}
          preview={<Preview />}
        >
          <UserVideos key={chosen.id} user={chosen} />
        </SwipePanes>
      )}
    </>
  );
}

interface NoUsersProps {
  readonly list: PagedList<FavouriteUser>;
  readonly state: ListState<FavouriteUser>;
}

function NoUsers({ list, state }: NoUsersProps) {
  if (state.status === "error") {
    return (
      <StatePanel
        title="没有加载出来"
        text="网络不太稳定，请稍后再试。"
        action={
          <button
            type="button"
            className="button button-primary"
            onClick={() => void list.loadNext()}
          >
            {TEXT.listFailed}
          </button>
        }
      />
    );
  }
  return (
    <StatePanel
      title="暂无收藏用户"
      text="有人收藏了视频，就会出现在这里。"
      action={
        <button type="button" className="button button-primary" onClick={() => void list.restart()}>
          刷新看看
        </button>
      }
    />
  );
}

/** The next visitor's videos, loaded ahead. */
function Preview() {
  return (
    <div className="list-body user-videos">
      <div className="user-heading is-coming" />
      <Placeholders count={10} className="chunk-grid" skeleton={<TileSkeleton ratio="search" />} />
    </div>
  );
}

function UserVideos({ user }: { readonly user: FavouriteUser }) {
  return (
    <div className="list-body user-videos">
      <VideoResults
        load={(page, signal) => listUserVideos(user.id, page, signal)}
        ratio="search"
        head={(total) => (
          <h2 className="user-heading">
            老司机：{user.alias}
            <small>收藏了 {total ?? user.total} 个</small>
          </h2>
        )}
        empty={
          <StatePanel
            title="还没有公开的收藏"
            text="换一位老司机看看吧。"
            action={
              <Link className="button button-primary" to="/home">
                去首页看看
              </Link>
            }
          />
        }
      />
    </div>
  );
}
