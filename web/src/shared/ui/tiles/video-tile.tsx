"use no memo"; // A tile is rendered once; lists keep its element.

import "./tiles.css";
import type { Video } from "@/shared/api/model.ts";
import { Cover, type CoverRatio } from "@/shared/covers/cover.tsx";
import { formatViews } from "@/shared/format/count.ts";
import { formatRelativeTime } from "@/shared/format/relative-time.ts";
import { playIntent } from "@/shared/intent.ts";
import { Link } from "@/shared/navigation/navigation.tsx";
import { useNow } from "../use-now.ts";
import { LockMark } from "./lock-disc.tsx";

interface VideoTileProps {
  readonly video: Video;
  readonly ratio?: CoverRatio;
  /** On the first screen: its cover loads at once. */
  readonly isEager?: boolean;
}

/** The player page of a video; for a locked one the page that unlocks it. */
export function playAddress({ id, shareId }: Pick<Video, "id" | "shareId">): string {
  return shareId ? `/playVideoShare?id=${shareId}` : `/playVideo?id=${id}`;
}

/**
 * A video in a grid: cover with views and running time, title, relative update time and category.
 */
export function VideoTile({ video, ratio = "grid", isEager = false }: VideoTileProps) {
  return (
    <Link className="tile" to={playAddress(video)} {...playIntent(video)}>
      <Cover picture={video.cover} ratio={ratio} isEager={isEager} className="has-shade">
        {video.isLocked && <LockMark video={video} />}
        <CoverFigures video={video} />
      </Cover>
      <span className="tile-title">{video.title}</span>
      <TileMeta video={video} />
    </Link>
  );
}

/** Views and running time on a cover. */
export function CoverFigures({ video }: { readonly video: Video }) {
  return (
    <>
      <span className="cover-start cover-views">{formatViews(video.pageViews)}</span>
      <span className="cover-end">{video.playTime}</span>
    </>
  );
}

/** Relative update time and category. */
export function TileMeta({ video }: { readonly video: Video }) {
  const now = useNow();
  return (
    <span className="tile-meta">
      <time
        dateTime={
          Number.isFinite(video.updatedAt) ? new Date(video.updatedAt).toISOString() : undefined
        }
      >
        {formatRelativeTime(video.updatedAt, now)}
      </time>
      {video.categoryName && <span>{video.categoryName}</span>}
    </span>
  );
}
