import {
  listBanners,
  listBannerTags,
  listCategories,
  listHomeBlocks,
  recommendVideos,
} from "@/shared/api/calls.ts";
import type { Home } from "@/shared/api/model.ts";
import { listTopics } from "@/shared/api/topic-calls.ts";
import { queryKeys } from "@/shared/server-state/query-keys.ts";
import { useQuery } from "@/shared/server-state/use-query.ts";

/** An optional part of home: its failure is only logged (specification §8). */
async function orEmpty<T>(part: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await part;
  } catch (error) {
    console.warn(error);
    return [];
  }
}

async function loadHome(): Promise<Home> {
  const [recommendation, blocks, categories, bannerTags, topics] = await Promise.all([
    recommendVideos(0),
    listHomeBlocks(),
    orEmpty(listCategories()),
    orEmpty(listBannerTags()),
    orEmpty(listTopics()),
  ]);
  const banners = await orEmpty(listBanners(bannerTags[0]?.id ?? 0));
  return { categories, bannerTags, banners, recommendation, blocks, topics };
}

/**
 * Home's content: inlined in the opened page (`main.tsx` puts it into the cache), otherwise
 * requested.
 */
export function useHome() {
  return useQuery({ key: queryKeys.home, load: loadHome });
}
