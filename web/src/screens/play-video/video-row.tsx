import "./video-row.css";
import type { Video } from "@/shared/api/model.ts";
import { Cover } from "@/shared/covers/cover.tsx";
import { formatViews } from "@/shared/format/count.ts";
import { formatRelativeTime } from "@/shared/format/relative-time.ts";
import { playIntent } from "@/shared/intent.ts";
import { Link } from "@/shared/navigation/navigation.tsx";
import { LockMark } from "@/shared/ui/tiles/lock-disc.tsx";
import { playAddress } from "@/shared/ui/tiles/video-tile.tsx";

interface VideoRowProps {
  readonly video: Video;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The query that follows the id, such as `&ad_show=no`. */
  readonly suffix: string;
}

/** A video as a row: cover at the left, title and figures beside it. */
export function VideoRow({ video, now, suffix }: VideoRowProps) {
  return (
    <Link className="video-row" to={`${playAddress(video)}${suffix}`} {...playIntent(video)}>
      <Cover picture={video.cover} ratio="grid">
        <i className="video-row-shade" aria-hidden="true" />
        {video.isLocked && <LockMark video={video} />}
        <span className="video-row-time">{video.playTime}</span>
      </Cover>
      <span className="video-row-text">
        <span className="video-row-title">{video.title}</span>
        <span className="video-row-meta">{formatViews(video.pageViews)}播放</span>
        <span className="video-row-meta">
          {formatRelativeTime(video.updatedAt, now)} · {video.categoryName}
        </span>
      </span>
    </Link>
  );
}

/** Rows while the list loads. */
export function RowSkeleton({ count }: { readonly count: number }) {
  return (
    <div role="status" aria-label="正在加载">
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="video-row" aria-hidden="true">
          <span className="cover cover-grid skeleton" />
          <span className="video-row-text">
            <i className="skeleton play-line" />
            <i className="skeleton play-line is-short" />
          </span>
        </div>
      ))}
    </div>
  );
}
