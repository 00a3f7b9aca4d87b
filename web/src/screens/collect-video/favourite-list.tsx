import "@/features/list/list.css";
import { useEffect, useRef } from "react";
import {
  CACHED_FAVOURITES,
  type CachedFavourites,
  MAX_CACHED_FAVOURITES,
} from "@/features/favourites/cached-favourites.ts";
import { setFavourite } from "@/features/favourites/favourite-marks.ts";
import { PagedItems } from "@/features/list/paged-items.tsx";
import { PullRefresh } from "@/features/list/pull-refresh.tsx";
import { TileSkeleton } from "@/features/list/tile-skeleton.tsx";
import { useColumns } from "@/features/list/use-columns.ts";
import { type Favourite, listFavourites } from "@/shared/api/personal-calls.ts";
import { formatRelativeTime } from "@/shared/format/relative-time.ts";
import { insertAt } from "@/shared/insert-at.ts";
import { showMessage } from "@/shared/messages/message-store.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import type { PagedList } from "@/shared/server-state/paged-list.ts";
import type { ListState } from "@/shared/server-state/paging.ts";
import { usePagedList } from "@/shared/server-state/use-paged-list.ts";
import { write } from "@/shared/storage/registry.ts";
import { useStored } from "@/shared/storage/use-stored.ts";
import { CollectTile } from "@/shared/ui/collect/collect-tile.tsx";
import { useFlip } from "@/shared/ui/collect/use-flip.ts";
import { StatePanel } from "@/shared/ui/state-panel.tsx";
import { useNow } from "@/shared/ui/use-now.ts";
import { HomeLink } from "./home-link.tsx";

const idOf = ({ id }: Favourite) => id;

/** The server's list in any of its states, or the device's copy. */
type FavouriteView =
  | { readonly kind: "list" }
  | { readonly kind: "cached"; readonly favourites: CachedFavourites };

function viewOf(
  code: string,
  { status, items }: ListState<Favourite>,
  cached: CachedFavourites,
): FavouriteView {
  const isUnreachable = status === "error" && items.length === 0;
  return isUnreachable && cached.code === code && cached.items.length > 0
    ? { kind: "cached", favourites: cached }
    : { kind: "list" };
}

interface FavouriteListProps {
  /** Whose favourites. Also use it as the component's `key`. */
  readonly code: string;
}

/** The favourites of a data code; offline, the copy on the device. */
export function FavouriteList({ code }: FavouriteListProps) {
  const [list, state] = usePagedList(listFavourites, { keyOf: idOf });
  const cached = useStored(CACHED_FAVOURITES);
  const columns = useColumns();
  const box = useRef<HTMLDivElement>(null);
  useFlip(box, state.items.length);
  useCachedFirstPage(code, state);
  const refresh = async () => {
    await list.restart();
    if (list.state().status !== "error") showMessage(TEXT.refreshed);
  };
  const view = viewOf(code, state, cached);
  return (
    <PullRefresh onRefresh={refresh}>
      <div className="collect-body">
        {view.kind === "cached" ? (
          <CachedPage cached={view.favourites} onRetry={list.restart} />
        ) : (
          <div ref={box} className="collect-paged">
            {state.items.length > 0 && <p className="collect-head">共 {state.total} 个</p>}
            <PagedItems
              list={list}
              state={state}
              columns={columns}
              chunkClass="chunk-grid"
              renderItem={(item) => <FavouriteTile key={item.id} item={item} list={list} />}
              skeleton={<TileSkeleton ratio="search" />}
              empty={
                <StatePanel
                  title="还没有喜欢的视频"
                  text="去首页看看，总有一个会让你喜欢。"
                  action={<HomeLink />}
                />
              }
            />
          </div>
        )}
      </div>
    </PullRefresh>
  );
}

/** Stores the first page on the device whenever the server sent it or it changed here. */
function useCachedFirstPage(
  code: string,
  { status, items, firstPage, total }: ListState<Favourite>,
): void {
  const isTold =
    firstPage === 1 &&
    total !== null &&
    (status === "finished" || (status === "idle" && items.length > 0));
  useEffect(() => {
    if (isTold)
      write(CACHED_FAVOURITES, { code, total, items: items.slice(0, MAX_CACHED_FAVOURITES) });
  }, [isTold, code, total, items]);
}

interface FavouriteTileProps {
  readonly item: Favourite;
  readonly list: PagedList<Favourite>;
}

function FavouriteTile({ item, list }: FavouriteTileProps) {
  const confirm = () => change(item, false);
  const remove = () => {
    const index = list.state().items.findIndex(({ id }) => id === item.id);
    list.edit((items) => items.filter(({ id }) => id !== item.id));
    showMessage(TEXT.favouriteRemoved, {
      label: "撤销",
      run: () => void bringBack(list, item, index),
    });
  };
  return (
    <CollectTile
      video={item.video}
      meta={<FavouritedTime at={item.favouritedAt} />}
      onConfirm={confirm}
      onRemove={remove}
    />
  );
}

/** The favourite is added again on the server, but keeps its position here. */
async function bringBack(
  list: PagedList<Favourite>,
  item: Favourite,
  index: number,
): Promise<void> {
  if (!(await change(item, true))) return;
  list.edit((items) => {
    const others = items.filter(({ id }) => id !== item.id);
    return insertAt(others, index, item);
  });
  showMessage(TEXT.favouriteAdded);
}

/** @returns Whether the server has confirmed it; a failure is told. */
async function change({ video }: Favourite, isWanted: boolean): Promise<boolean> {
  try {
    await setFavourite(video, isWanted);
    return true;
  } catch (error) {
    console.info(error);
    showMessage(TEXT.networkError);
    return false;
  }
}

function FavouritedTime({ at }: { readonly at: number }) {
  const now = useNow();
  return (
    <span className="tile-meta">{at > 0 && <span>{formatRelativeTime(at, now)}收藏</span>}</span>
  );
}

interface CachedPageProps {
  readonly cached: CachedFavourites;
  readonly onRetry: () => void;
}

/** The cached copy, with a quiet note. Nothing can be removed: the server could not confirm it. */
function CachedPage({ cached, onRetry }: CachedPageProps) {
  return (
    <>
      <p className="collect-offline" role="status">
        暂时连不上网络，以下是上次保存的收藏
        <button type="button" onClick={() => onRetry()}>
          重试
        </button>
      </p>
      <div className="collect-grid">
        {cached.items.map(({ video, favouritedAt }) => (
          <CollectTile key={video.id} video={video} meta={<FavouritedTime at={favouritedAt} />} />
        ))}
      </div>
      {cached.total > cached.items.length && (
        <p className="collect-foot">共 {cached.total} 个，联网后可以看到全部</p>
      )}
    </>
  );
}
