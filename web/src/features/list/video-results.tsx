import { Fragment, type ReactNode } from "react";
import type { Ad, Video } from "@/shared/api/model.ts";
import type { CoverRatio } from "@/shared/covers/cover.tsx";
import { showMessage } from "@/shared/messages/message-store.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import type { LoadPage } from "@/shared/server-state/paged-list.ts";
import { usePagedList } from "@/shared/server-state/use-paged-list.ts";
import { AdTile } from "@/shared/ui/tiles/ad-tile.tsx";
import { VideoTile } from "@/shared/ui/tiles/video-tile.tsx";
import { AD_EVERY, adAbove } from "./chunks.ts";
import { PagedItems } from "./paged-items.tsx";
import { PullRefresh } from "./pull-refresh.tsx";
import { RowSkeleton, TileSkeleton } from "./tile-skeleton.tsx";
import { MOST_COLUMNS, useColumns } from "./use-columns.ts";
import { VideoBlock } from "./video-block.tsx";

/** How videos stand: as a grid of tiles, or as blocks one under another (specification §2). */
export type ListLayout = "grid" | "rows";

interface VideoResultsProps {
  readonly load: LoadPage<Video>;
  readonly layout?: ListLayout;
  /** Shown above every fifth item of the list layout. */
  readonly ads?: readonly Ad[];
  /** Ratio of the covers in the grid (specification §9). */
  readonly ratio?: CoverRatio;
  /** Draws an item of the grid in another way than the usual tile. */
  readonly tile?: (video: Video, isEager: boolean) => ReactNode;
  readonly empty: ReactNode;
  /** Drawn above the items; receives the number of videos, null while unknown. */
  readonly head?: (total: number | null) => ReactNode;
}

/**
 * Number of blocks drawn together. On the widest grids, blocks are in two columns; with an
 * advertisement, which takes a cell, five fill three rows.
 */
function blocksOf(columns: number, hasAds: boolean): number {
  if (columns < MOST_COLUMNS) return 1;
  return hasAds ? AD_EVERY : 2;
}

/** Number of tiles on the first screen: their covers load at once. */
const EAGER_TILES = 4;
const NO_ADS: readonly Ad[] = [];

/**
 * A refreshable, endless list of videos with its page slider. Give it a `key` that changes with
 * what is listed.
 */
export function VideoResults(props: VideoResultsProps) {
  const { load, layout = "grid", ads = NO_ADS, ratio = "grid", tile, empty, head } = props;
  const [list, state] = usePagedList(load);
  const columns = useColumns();
  const isGrid = layout === "grid";
  const refresh = async () => {
    await list.restart();
    if (list.state().status !== "error") showMessage(TEXT.refreshed);
  };
  const renderTile = (video: Video, index: number) => {
    const isEager = index < EAGER_TILES;
    if (tile) return <Fragment key={video.id}>{tile(video, isEager)}</Fragment>;
    return <VideoTile key={video.id} video={video} ratio={ratio} isEager={isEager} />;
  };
  const renderBlock = (video: Video, index: number) => {
    const ad = adAbove(index, ads);
    return (
      <div key={video.id}>
        {ad && <AdTile ad={ad} />}
        <VideoBlock video={video} />
      </div>
    );
  };
  return (
    <PullRefresh onRefresh={refresh}>
      {head?.(state.total)}
      <PagedItems
        list={list}
        state={state}
        columns={isGrid ? columns : blocksOf(columns, ads.length > 0)}
        chunkClass={isGrid ? "chunk-grid" : "chunk-rows"}
        renderItem={isGrid ? renderTile : renderBlock}
        skeleton={isGrid ? <TileSkeleton ratio={ratio} /> : <RowSkeleton />}
        empty={empty}
        hasPager
      />
    </PullRefresh>
  );
}
