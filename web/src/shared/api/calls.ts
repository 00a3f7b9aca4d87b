import { get } from "./get.ts";
import {
  adFromWire,
  blockFromWire,
  categoryFromWire,
  configFromWire,
  pageFromWire,
  recommendationFromWire,
} from "./mapping.ts";
import type { Ad, BannerTag, Category, HomeBlock, Page, Recommendation, RuntimeConfig, Video } from "./model.ts";

/** The calls of specification §7 that read lists and home, in domain terms. All reject with `ApiError`. */

export type Order = "new" | "hot";

export async function getConfig(signal?: AbortSignal): Promise<RuntimeConfig> {
  return configFromWire(await get("/api/config", {}, signal));
}

export async function listCategories(signal?: AbortSignal): Promise<Category[]> {
  return (await get("/api/videosort", {}, signal)).map(categoryFromWire);
}

/** Videos of a category; 0 is all. */
export async function listVideos(
  categoryId: number,
  query: { readonly orderby: Order; readonly page: number },
  signal?: AbortSignal,
): Promise<Page<Video>> {
  return pageFromWire(await get("/api/videosort/{category_id}", { path: { category_id: categoryId }, query }, signal));
}

export async function searchVideos(keyword: string, page: number, signal?: AbortSignal): Promise<Page<Video>> {
  return pageFromWire(await get("/api/videoSearch", { query: { serach: keyword, page } }, signal));
}

export async function listShareVideos(
  query: { readonly type: number; readonly orderby: Order; readonly page: number },
  signal?: AbortSignal,
): Promise<Page<Video>> {
  return pageFromWire(await get("/api/videoshare", { query }, signal));
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
  const answer = await get("/api/adinfo/BANNER/{banner_type}", { path: { banner_type: tagId } }, signal);
  return answer.map(adFromWire);
}

/** Advertisements between the rows of a list. */
export async function listListAds(signal?: AbortSignal): Promise<Ad[]> {
  return (await get("/api/adinfo/{slot}", { path: { slot: "LIST" } }, signal)).map(adFromWire);
}
