import { useQuery } from "@tanstack/react-query";
import { listBanners, listBannerTags, listCategories, listHomeBlocks, recommendVideos } from "@/shared/api/calls.ts";
import type { Home } from "@/shared/api/model.ts";
import { HOME_QUERY } from "@/shared/config/query-client.ts";

/** A part without which home still stands: its failure is logged only (specification §8). */
async function orEmpty<T>(part: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await part;
  } catch (error) {
    console.warn(error);
    return [];
  }
}

async function loadHome(signal: AbortSignal): Promise<Home> {
  const [recommendation, blocks, categories, bannerTags] = await Promise.all([
    recommendVideos(0, signal),
    listHomeBlocks(signal),
    orEmpty(listCategories(signal)),
    orEmpty(listBannerTags(signal)),
  ]);
  const banners = await orEmpty(listBanners(bannerTags[0]?.id ?? 0, signal));
  return { categories, bannerTags, banners, recommendation, blocks };
}

/** Home's content: inlined in the page that was opened (`main.tsx` puts it into the cache), else asked for. */
export function useHome() {
  return useQuery({ queryKey: HOME_QUERY, queryFn: ({ signal }) => loadHome(signal) });
}
