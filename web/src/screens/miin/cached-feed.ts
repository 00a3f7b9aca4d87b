import { useState, useSyncExternalStore } from "react";
import { createStore, type StoreApi, useStore } from "zustand";
import { fetchPlayInfo, type PlayInfo } from "@/player/play-info.ts";
import { ShortStage } from "@/player/short-stage.ts";
import { listAds, listVideos } from "@/shared/api/list-calls.ts";
import type { Ad, Video } from "@/shared/api/model.ts";
import { reportPlay } from "@/shared/api/play-events.ts";
import { PagedList } from "@/shared/server-state/paged-list.ts";
import { FRESH_MS, queryCache } from "@/shared/server-state/query-cache.ts";
import { queryKeys } from "@/shared/server-state/query-keys.ts";

/** A feed left longer ago starts again, milliseconds. */
const CACHED_MS = 30 * 60_000;

/** Where the visitor is in the feed. */
interface FeedPlace {
  /** Place on screen, from 0. */
  readonly active: number;
  /** Seconds into that clip when the feed was left. */
  readonly at: number;
  /** Null until they are known; empty where there are none. */
  readonly ads: readonly Ad[] | null;
}

/** A feed that outlives its screen: a returning visitor finds the clip where it was left. */
export interface CachedFeed {
  readonly category: number;
  readonly list: PagedList<Video>;
  readonly place: StoreApi<FeedPlace>;
  leftAt: number;
}

let cached: CachedFeed | null = null;
let stage: ShortStage | null = null;

/** As the player's page knows it: a clip that is seen again is not asked for again. */
async function playInfo(id: number): Promise<PlayInfo> {
  const query = { key: queryKeys.play(id), load: () => fetchPlayInfo(id), freshMs: FRESH_MS };
  await queryCache.ensure(query);
  const { data, error } = queryCache.get<PlayInfo>(query.key);
  if (!data || error !== null) throw error;
  return data;
}

/** The feed's elements, one set per page load. */
export function shortStage(): ShortStage {
  stage ??= new ShortStage(
    async (id) => (await playInfo(id)).sources,
    (id, report) => void reportPlay(id, report),
  );
  return stage;
}

function feedOf(category: number, isShowAd: boolean, now: number): CachedFeed {
  if (cached?.category === category && now - cached.leftAt < CACHED_MS) return cached;
  const list = new PagedList((page, signal, place) =>
    listVideos(category, { orderby: "new", page, ...place }, signal),
  );
  const place = createStore<FeedPlace>(() => ({ active: 0, at: 0, ads: isShowAd ? null : [] }));
  if (isShowAd) {
    const settle = (ads: readonly Ad[]) => place.setState({ ads });
    listAds("SHORT_VIDEO").then(settle, (error: unknown) => {
      console.warn(error);
      settle([]);
    });
  }
  cached = { category, list, place, leftAt: now };
  void list.loadNext();
  return cached;
}

/** The short feed of a category, cached while the visitor looks elsewhere. */
export function useCachedFeed(category: number, isShowAd: boolean) {
  const [feed] = useState(() => feedOf(category, isShowAd, Date.now()));
  const list = useSyncExternalStore(feed.list.subscribe, feed.list.state, feed.list.state);
  const place = useStore(feed.place);
  return { feed, list, place };
}
