import { listBanners, recommendVideos } from "@/shared/api/calls.ts";
import { listBannerTags, listCategories, listHomeBlocks } from "@/shared/api/home-calls.ts";
import type { Home } from "@/shared/api/model.ts";
import { listTopics } from "@/shared/api/topic-calls.ts";
import { queryCache } from "@/shared/server-state/query-cache.ts";
import { queryKeys } from "@/shared/server-state/query-keys.ts";

/**
 * An optional part of home: its failure is only logged (specification §8), and what was known of it
 * stays.
 */
async function orKnown<T>(
  part: Promise<readonly T[]>,
  known: readonly T[] = [],
): Promise<readonly T[]> {
  try {
    return await part;
  } catch (error) {
    console.warn(error);
    return known;
  }
}

/** Home's content, requested in the parts that the opened page contains. */
export async function loadHome(): Promise<Home> {
  const known = queryCache.get<Home>(queryKeys.home).data;
  const [recommendation, blocks, categories, bannerTags, topics] = await Promise.all([
    recommendVideos(0),
    listHomeBlocks(),
    orKnown(listCategories(), known?.categories),
    orKnown(listBannerTags(), known?.bannerTags),
    orKnown(listTopics(), known?.topics),
  ]);
  const banners = await orKnown(listBanners(bannerTags[0]?.id ?? 0), known?.banners);
  return { categories, bannerTags, banners, recommendation, blocks, topics };
}
