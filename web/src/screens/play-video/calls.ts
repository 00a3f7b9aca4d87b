import type { PlayGate } from "@/player/preload.ts";
import { get } from "@/shared/api/get.ts";
import { adFromWire, pageFromWire } from "@/shared/api/mapping.ts";
import type { Ad, Page, Video } from "@/shared/api/model.ts";
import { FRESH_MS, type Query, queryCache } from "@/shared/server-state/query-cache.ts";
import { queryKeys } from "@/shared/server-state/query-keys.ts";
import { useClientStore } from "@/shared/store/client-store.ts";

/** Advertisements around one video: before it plays, and below its actions (specification §7). */
export type PlayAdSlot = "PLAYBEFORE" | "PLAYINFO";

async function listPlayAds(slot: PlayAdSlot): Promise<Ad[]> {
  return (await get("/api/adinfo/{slot}", { path: { slot } })).map(adFromWire);
}

/** The advertisement before a video: nothing plays before it is known whether there is one. */
export const AD_GATE: PlayGate = {
  prepare() {
    if (useClientStore.getState().isShowAd) void queryCache.ensure(playAdsQuery("PLAYBEFORE"));
  },
  isOpen() {
    const { data } = queryCache.get<readonly Ad[]>(queryKeys.playAds("PLAYBEFORE"));
    return !useClientStore.getState().isShowAd || data?.length === 0;
  },
};

export function playAdsQuery(slot: PlayAdSlot): Query<readonly Ad[]> {
  return { key: queryKeys.playAds(slot), load: () => listPlayAds(slot), freshMs: FRESH_MS };
}

/** Videos that resemble one, page by page from 1 (specification §7, `GET /api/videomaylike`). */
export async function listSimilarVideos(
  id: number,
  page: number,
  signal?: AbortSignal,
): Promise<Page<Video>> {
  return pageFromWire(await get("/api/videomaylike", { query: { id, page } }, signal));
}
