import { get } from "./get.ts";
import { adFromWire, configFromWire, recommendationFromWire } from "./mapping.ts";
import type { Ad, Recommendation, RuntimeConfig } from "./model.ts";

/**
 * The calls of specification §7 that the first screen may make, in domain terms. All reject with
 * `ApiError`.
 */

export async function getConfig(signal?: AbortSignal): Promise<RuntimeConfig> {
  return configFromWire(await get("/api/config", {}, signal));
}

export async function recommendVideos(seed: number, signal?: AbortSignal): Promise<Recommendation> {
  return recommendationFromWire(await get("/api/videorecommand", { query: { seed } }, signal));
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
