import type { Video } from "@/shared/api/model.ts";
import { isRecord } from "@/shared/storage/parsers.ts";
import type { StorageEntry } from "@/shared/storage/registry.ts";
import { numberOr, parseVideo, videoToWire } from "@/shared/storage/stored-video.ts";

/** Maximum number of favourites cached for offline reading. */
export const MAX_CACHED_FAVOURITES = 24;

/** The first page of the favourites as last received from the server. */
export interface CachedFavourites {
  /** Whose they are: those of another code are never shown. */
  readonly code: string;
  readonly total: number;
  readonly items: readonly CachedFavourite[];
}

export interface CachedFavourite {
  readonly video: Video;
  /** Milliseconds since 1970. */
  readonly favouritedAt: number;
}

/** Favourites that are readable without a network (docs/product.md#beyond). */
export const CACHED_FAVOURITES: StorageEntry<CachedFavourites> = {
  key: "favourites",
  area: "local",
  parse: (text) => {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || typeof value.code !== "string" || !Array.isArray(value.items))
      return undefined;
    const items = value.items.slice(0, MAX_CACHED_FAVOURITES).flatMap((item: unknown) => {
      const video = isRecord(item) ? parseVideo(item.video) : undefined;
      return video ? [{ video, favouritedAt: numberOr((item as { at?: unknown }).at, 0) }] : [];
    });
    return { code: value.code, total: numberOr(value.total, items.length), items };
  },
  format: ({ code, total, items }) =>
    JSON.stringify({
      code,
      total,
      items: items
        .slice(0, MAX_CACHED_FAVOURITES)
        .map(({ video, favouritedAt }) => ({ video: videoToWire(video), at: favouritedAt })),
    }),
  initial: { code: "", total: 0, items: [] },
};
