import { get } from "./get.ts";
import { appLinkFromWire, pageFromWire, pictureFromWire } from "./mapping.ts";
import type { AppLink, Notice, Page, Picture, Video } from "./model.ts";
import type { SortOrder } from "./sort-orders.gen.ts";

/** Calls behind search, /find and /mine, in domain terms. All reject with `ApiError`. */

/** A column of hot words (specification §3). */
export interface HotGroup {
  readonly title: string;
  readonly words: readonly string[];
}

export interface Artist {
  readonly id: number;
  readonly name: string;
  /** A-Z, or # where the name begins with neither letter nor Han character. */
  readonly initial: string;
  readonly image: Picture;
  /** Listed videos. */
  readonly videoCount: number;
  readonly intro: string;
}

/** A label with its number of listed videos. */
export interface Tag {
  readonly id: number;
  readonly name: string;
  readonly videoCount: number;
}

export async function listHotGroups(signal?: AbortSignal): Promise<HotGroup[]> {
  const groups = await get("/api/videoSearchHot", {}, signal);
  return groups.map(({ title, lists }) => ({ title, words: lists }));
}

export async function listArtists(signal?: AbortSignal): Promise<Artist[]> {
  const artists = await get("/api/artist", {}, signal);
  return artists.map(({ image, video_count, ...rest }) => ({
    ...rest,
    image: pictureFromWire(image),
    videoCount: video_count,
  }));
}

export async function listArtistVideos(
  artistId: number,
  query: { readonly orderby: SortOrder; readonly page: number; readonly after?: string },
  signal?: AbortSignal,
): Promise<Page<Video>> {
  return pageFromWire(
    await get("/api/artist/{artist_id}", { path: { artist_id: artistId }, query }, signal),
  );
}

export type RankKind = "pageviews" | "favorites" | "new";

export type Period = "day" | "week" | "month" | "all";

/** A video in a rank. */
export interface RankedVideo extends Video {
  /** Views or favourites of the period; 0 where another measure filled the place. */
  readonly score: number;
}

/** A page of a rank of 100 places (docs/product.md#operator). */
export async function listRank(
  query: { readonly type: RankKind; readonly period: Period; readonly page: number },
  signal?: AbortSignal,
): Promise<Page<RankedVideo>> {
  const wire = await get("/api/rank", { query }, signal);
  const scores = new Map(wire.data.map(({ id, score }) => [id, score ?? 0]));
  const page = pageFromWire(wire);
  return {
    ...page,
    items: page.items.map((video) => ({ ...video, score: scores.get(video.id) ?? 0 })),
  };
}

export async function listTags(signal?: AbortSignal): Promise<Tag[]> {
  const tags = await get("/api/tags", {}, signal);
  return tags.map(({ id, name, video_count }) => ({ id, name, videoCount: video_count }));
}

/** A page of the notices, from 1; the newest first. */
export async function listNotices(page: number, signal?: AbortSignal): Promise<Page<Notice>> {
  const query = page > 1 ? { page } : {};
  const wire = await get("/api/sysnotice", { query }, signal);
  const items = wire.data.map(({ updated_at, imgbase64, ...notice }) => ({
    ...notice,
    updatedAt: Date.parse(updated_at),
    image: pictureFromWire(imgbase64),
    ratio: (imgbase64?.width ?? 0) / (imgbase64?.height ?? 1),
  }));
  const { next_page_url, total, per_page } = wire;
  return { items, hasNext: Boolean(next_page_url), total, perPage: per_page };
}

export async function listAppLinks(
  kind: "checkin" | "activity",
  signal?: AbortSignal,
): Promise<AppLink[]> {
  return (await get("/api/applink/{kind}", { path: { kind } }, signal)).map(appLinkFromWire);
}
