import { get } from "@/shared/api/get.ts";
import { adFromWire, pageFromWire } from "@/shared/api/mapping.ts";
import type { Ad, Page, Video } from "@/shared/api/model.ts";

/** Advertisements around one video: before it plays, and below its actions (specification §7). */
export type PlayAdSlot = "PLAYBEFORE" | "PLAYINFO";

export async function listPlayAds(slot: PlayAdSlot, signal?: AbortSignal): Promise<Ad[]> {
  return (await get("/api/adinfo/{slot}", { path: { slot } }, signal)).map(adFromWire);
}

/** Videos that resemble one, page by page from 1 (specification §7, `GET /api/videomaylike`). */
export async function listSimilarVideos(
  id: number,
  page: number,
  signal?: AbortSignal,
): Promise<Page<Video>> {
  return pageFromWire(await get("/api/videomaylike", { query: { id, page } }, signal));
}
