import { call } from "./client.ts";
import {
  adFromWire,
  blockFromWire,
  categoryFromWire,
  configFromWire,
  pageFromWire,
  recommendationFromWire,
} from "./mapping.ts";
import type { Ad, BannerTag, Category, HomeBlock, Page, Recommendation, RuntimeConfig, Video } from "./model.ts";
import type { WireAd, WireBlock, WireCategory, WireConfig, WirePage, WireRecommendation, WireVideo } from "./wire.ts";

/** The calls of specification §7 that read lists and home, in domain terms. All reject with `ApiError`. */

export type Order = "new" | "hot";

export async function getConfig(signal?: AbortSignal): Promise<RuntimeConfig> {
  return configFromWire((await call("GET", "/api/config", { signal })) as WireConfig);
}

export async function listCategories(signal?: AbortSignal): Promise<Category[]> {
  return ((await call("GET", "/api/videosort", { signal })) as WireCategory[]).map(categoryFromWire);
}

/** Videos of a category; 0 is all. */
export async function listVideos(
  categoryId: number,
  params: { orderby: Order; page: number },
  signal?: AbortSignal,
): Promise<Page<Video>> {
  return pageFromWire((await call("GET", `/api/videosort/${categoryId}`, { params, signal })) as WirePage<WireVideo>);
}

export async function searchVideos(keyword: string, page: number, signal?: AbortSignal): Promise<Page<Video>> {
  const params = { serach: keyword, page };
  return pageFromWire((await call("GET", "/api/videoSearch", { params, signal })) as WirePage<WireVideo>);
}

export async function listShareVideos(
  params: { type: number; orderby: Order; page: number },
  signal?: AbortSignal,
): Promise<Page<Video>> {
  return pageFromWire((await call("GET", "/api/videoshare", { params, signal })) as WirePage<WireVideo>);
}

export async function listHomeBlocks(signal?: AbortSignal): Promise<HomeBlock[]> {
  return ((await call("GET", "/api/videoindex", { signal })) as WireBlock[]).map(blockFromWire);
}

export async function recommendVideos(seed: number, signal?: AbortSignal): Promise<Recommendation> {
  const params = { type: 0, seed };
  return recommendationFromWire((await call("GET", "/api/videorecommand", { params, signal })) as WireRecommendation);
}

export async function listBannerTags(signal?: AbortSignal): Promise<BannerTag[]> {
  return (await call("GET", "/api/adsort", { signal })) as BannerTag[];
}

/** Banners of a tag; 0 is all. */
export async function listBanners(tagId: number, signal?: AbortSignal): Promise<Ad[]> {
  return ((await call("GET", `/api/adinfo/BANNER/${tagId}`, { signal })) as WireAd[]).map(adFromWire);
}
