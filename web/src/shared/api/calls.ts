import { get } from "./get.ts";
import {
  adFromWire,
  blockFromWire,
  categoryFromWire,
  configFromWire,
  recommendationFromWire,
} from "./mapping.ts";
import type { Ad, BannerTag, Category, HomeBlock, Recommendation, RuntimeConfig } from "./model.ts";

/**
 * The calls of specification §7 that read lists and home, in domain terms. All reject with
 * `ApiError`.
 */

export async function getConfig(signal?: AbortSignal): Promise<RuntimeConfig> {
  return configFromWire(await get("/api/config", {}, signal));
}

export async function listCategories(signal?: AbortSignal): Promise<Category[]> {
  return (await get("/api/videosort", {}, signal)).map(categoryFromWire);
}

export async function listHomeBlocks(signal?: AbortSignal): Promise<HomeBlock[]> {
  return (await get("/api/videoindex", {}, signal)).map(blockFromWire);
}

export async function recommendVideos(seed: number, signal?: AbortSignal): Promise<Recommendation> {
  return recommendationFromWire(await get("/api/videorecommand", { query: { seed } }, signal));
}

export async function listBannerTags(signal?: AbortSignal): Promise<readonly BannerTag[]> {
  return await get("/api/adsort", {}, signal);
}

/** Banners of a tag; 0 is all. */
export async function listBanners(tagId: number, signal?: AbortSignal): Promise<Ad[]> {
  const answer = await get(
    "/api/adinfo/BANNER/{banner_type}",
    { path: { banner_type: tagId } },
    signal,
  );
  return answer.map(adFromWire);
}
