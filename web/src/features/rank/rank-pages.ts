import type { Page, Video } from "@/shared/api/model.ts";

/** Places of a rank (decisions §7). */
export const RANK_PLACES = 100;

/** A page of a list in falling order as a page of the rank: places counted through, cut after the last one. */
export function rankPage(page: Page<Video>, number: number): Page<Video> {
  const before = (number - 1) * page.perPage;
  const items = page.items
    .map((video, index) => ({ ...video, rank: before + index + 1 }))
    .filter(({ rank }) => rank <= RANK_PLACES);
  return {
    ...page,
    items,
    total: Math.min(page.total, RANK_PLACES),
    hasNext: page.hasNext && before + page.perPage < RANK_PLACES,
  };
}
