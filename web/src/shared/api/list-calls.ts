import { get } from "./get.ts";
import { adFromWire, pageFromWire } from "./mapping.ts";
import type { Ad, Page, Video } from "./model.ts";
import type { SortOrder } from "./sort-orders.gen.ts";

/** The calls behind lists, in domain terms; home does without them. All reject with `ApiError`. */

/** Videos of a category; 0 is all. */
export async function listVideos(
  categoryId: number,
  query: { readonly orderby: SortOrder; readonly page: number; readonly after?: string },
  signal?: AbortSignal,
): Promise<Page<Video>> {
  return pageFromWire(
    await get("/api/videosort/{category_id}", { path: { category_id: categoryId }, query }, signal),
  );
}

export async function searchVideos(
  keyword: string,
  page: number,
  signal?: AbortSignal,
): Promise<Page<Video>> {
  return pageFromWire(await get("/api/videoSearch", { query: { serach: keyword, page } }, signal));
}

export async function listShareVideos(
  query: { readonly type: number; readonly orderby: SortOrder; readonly page: number },
  signal?: AbortSignal,
): Promise<Page<Video>> {
  return pageFromWire(await get("/api/videoshare", { query }, signal));
}

/**
 * The slots of advertisements that home does without: between rows, on /mine, in the short feed,
 * popping up.
 */
type Slot = "LIST" | "USER" | "SHORT_VIDEO";

/** The advertisements of a place. */
export async function listAds(slot: Slot, signal?: AbortSignal): Promise<Ad[]> {
  return (await get("/api/adinfo/{slot}", { path: { slot } }, signal)).map(adFromWire);
}
