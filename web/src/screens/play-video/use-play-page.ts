import { useState } from "react";
import { fetchPlayInfo, type PlayInfo } from "@/player/play-info.ts";
import type { PlayOrder, Renewal } from "@/player/playback-state.ts";
import { playerPreferences, storedPosition } from "@/player/preferences.ts";
import { orderFromTile, type TileVideo, tileHint } from "@/player/preload.ts";
import { ApiError } from "@/shared/api/client.ts";
import type { Ad } from "@/shared/api/model.ts";
import { FRESH_MS } from "@/shared/server-state/query-cache.ts";
import { queryKeys } from "@/shared/server-state/query-keys.ts";
import { useQuery } from "@/shared/server-state/use-query.ts";
import { useClientStore } from "@/shared/store/client-store.ts";
import { type PlayAdSlot, playAdsQuery } from "./calls.ts";
import { type Unlock, useUnlock } from "./use-unlock.ts";

const GONE = 404;
const NO_ADS: readonly Ad[] = [];

/**
 * What is in the player's place: playback, or waiting for it; a lock; a missing video; or a page
 * that could not be loaded although nothing known before can play.
 */
export type PlayStage = "open" | "locked" | "gone" | "unreachable";

/** What the page knows of its video, and what of it may be played. */
export interface PlayPage {
  /** Null until the server has answered. */
  readonly info: PlayInfo | null;
  /** What the tile that led here knew; null after a reload. */
  readonly hint: TileVideo | null;
  readonly order: PlayOrder | null;
  readonly unlock: Unlock;
  readonly stage: PlayStage;
  /** The server has answered, or failed to. */
  readonly isSettled: boolean;
  readonly retry: () => void;
}

/**
 * The video of the page. Playback begins with what the tile knew, before the server has answered.
 */
export function usePlayPage(id: number): PlayPage {
  const query = useQuery({
    key: queryKeys.play(id),
    load: () => fetchPlayInfo(id),
    freshMs: FRESH_MS,
  });
  const asked = query.data ?? null;
  const unlock = useUnlock(id, asked?.isLocked === true);
  // `isLocked` and the empty path stay: the stored history must not contain an address that
  // expires.
  const info = asked && unlock.play ? { ...asked, ...unlock.play } : asked;
  const [hint] = useState(() => tileHint(id));
  const [order, setOrder] = useState(() => (hint?.videoPath ? orderFromTile(hint) : null));
  const mayPlay = unlock.phase === "open";
  if (info && !order && mayPlay) setOrder(orderFromInfo(info, unlock.renewal));
  if (order && !mayPlay) setOrder(null);
  return {
    info,
    hint,
    order,
    unlock,
    stage: stageOf(unlock, query.error, order !== null),
    isSettled: info !== null || query.isError,
    retry: () => void query.refetch(),
  };
}

function stageOf(unlock: Unlock, error: unknown, canPlay: boolean): PlayStage {
  if (unlock.phase === "locked") return "locked";
  if (error instanceof ApiError && error.code === GONE) return "gone";
  // Playback that began with what the tile knew continues without the page's own response.
  return error !== null && !canPlay ? "unreachable" : "open";
}

function orderFromInfo(info: PlayInfo, renewal: Renewal | null): PlayOrder {
  return {
    id: info.id,
    sources: info.sources,
    duration: info.duration,
    startAt: storedPosition(info.id, info.duration),
    hasAudioTracks: info.audioTracks.length > 0,
    ...playerPreferences(),
    ...(renewal ? { renewal } : {}),
  };
}

/**
 * The advertisements of a slot: undefined while loading; empty if there are none, if they are
 * switched off, if the visitor is spared them (`ad_show=no`) or if the call fails.
 */
export function usePlayAds(slot: PlayAdSlot, isSpared: boolean): readonly Ad[] | undefined {
  const isShown = useClientStore((state) => state.isShowAd) && !isSpared;
  const query = useQuery(playAdsQuery(slot), { isEnabled: isShown });
  return !isShown || query.isError ? NO_ADS : query.data;
}
