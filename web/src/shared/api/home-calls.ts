import { get } from "./get.ts";
import { blockFromWire, categoryFromWire } from "./mapping.ts";
import type { BannerTag, Category, HomeBlock } from "./model.ts";

/** The calls for parts of home that an opened page brings along. All reject with `ApiError`. */

export async function listCategories(signal?: AbortSignal): Promise<Category[]> {
  return (await get("/api/videosort", {}, signal)).map(categoryFromWire);
}

export async function listHomeBlocks(signal?: AbortSignal): Promise<HomeBlock[]> {
  return (await get("/api/videoindex", {}, signal)).map(blockFromWire);
}

export async function listBannerTags(signal?: AbortSignal): Promise<readonly BannerTag[]> {
  return await get("/api/adsort", {}, signal);
}
