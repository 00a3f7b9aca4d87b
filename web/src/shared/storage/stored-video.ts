import { videoFromWire } from "@/shared/api/mapping.ts";
import type { Label, Video } from "@/shared/api/model.ts";
import type { WireVideo } from "@/shared/api/wire.ts";
import { isRecord } from "./parsers.ts";

/** A number that was stored, or a default for anything else. */
export function numberOr(value: unknown, initial: number): number {
  return typeof value === "number" && Number.isFinite(value) ? value : initial;
}

const textOr = (value: unknown) => (typeof value === "string" ? value : "");
const textOrNull = (value: unknown) => (typeof value === "string" ? value : null);

function parseLabel(item: unknown): Label[] {
  return isRecord(item) && Number.isSafeInteger(item.id) && typeof item.name === "string"
    ? [{ id: item.id as number, name: item.name }]
    : [];
}

/**
 * A video in wire form from an untrusted place: storage, or a file. Id, title and cover make a
 * video; every other member of a wrong type gets its default.
 *
 * @returns Undefined for anything else.
 */
export function parseVideo(item: unknown): Video | undefined {
  if (!isRecord(item) || !isRecord(item.coverbase64)) return undefined;
  const { id, title, coverbase64: cover } = item;
  if (!Number.isSafeInteger(id) || typeof title !== "string" || typeof cover.url !== "string")
    return undefined;
  return videoFromWire({
    id: id as number,
    title,
    coverbase64: { url: cover.url, jpeg: textOrNull(cover.jpeg), thumb: textOrNull(cover.thumb) },
    videopath: textOr(item.videopath),
    created_at: textOr(item.created_at),
    updated_at: textOr(item.updated_at),
    pageviews: numberOr(item.pageviews, 0),
    playtimes: textOr(item.playtimes),
    duration: numberOr(item.duration, 0),
    width: numberOr(item.width, 0),
    height: numberOr(item.height, 0),
    labls: Array.isArray(item.labls) ? item.labls.flatMap(parseLabel) : [],
    type_id: numberOr(item.type_id, 0),
    type_name: textOr(item.type_name),
    isLock: item.isLock === true,
    share_id: textOrNull(item.share_id),
    rank: typeof item.rank === "number" ? item.rank : null,
  });
}

/** Empty for an unknown time: what a visitor saved long ago may lack it. */
function isoTime(moment: number): string {
  return Number.isFinite(moment) ? new Date(moment).toISOString() : "";
}

/** The wire form again: the watch history keeps "a list of video items" (specification §3). */
export function videoToWire(video: Video): WireVideo {
  return {
    id: video.id,
    title: video.title,
    coverbase64: { ...video.cover },
    videopath: video.videoPath,
    created_at: isoTime(video.createdAt),
    updated_at: isoTime(video.updatedAt),
    pageviews: video.pageViews,
    playtimes: video.playTime,
    duration: video.duration,
    width: video.width,
    height: video.height,
    labls: video.labels.map(({ id, name }) => ({ id, name })),
    type_id: video.categoryId,
    type_name: video.categoryName,
    isLock: video.isLocked,
    share_id: video.shareId,
    rank: video.rank,
  };
}
