import "./rank.css";
import "@/shared/ui/skeleton.css";
import type { RankedVideo, RankKind } from "@/shared/api/discovery-calls.ts";
import { Cover } from "@/shared/covers/cover.tsx";
import { formatViews, groupDigits } from "@/shared/format/count.ts";
import { formatRelativeTime } from "@/shared/format/relative-time.ts";
import { playIntent } from "@/shared/intent.ts";
import { Link } from "@/shared/navigation/navigation.tsx";
import { LockMark } from "@/shared/ui/tiles/lock-disc.tsx";
import { playAddress } from "@/shared/ui/tiles/video-tile.tsx";
import { useNow } from "@/shared/ui/use-now.ts";
import { Medal } from "./medal.tsx";

interface RankRowProps {
  readonly video: RankedVideo;
  readonly kind: RankKind;
}

/** A video in a rank: its place on the cover, its score in large type. */
export function RankRow({ video, kind }: RankRowProps) {
  const now = useNow();
  const rank = video.rank ?? 0;
  return (
    <Link
      className={`rank-row ${rank <= 3 ? "is-top" : ""}`}
      to={playAddress(video)}
      {...playIntent(video)}
    >
      <span className="rank-cover">
        <Cover picture={video.cover} ratio="grid" className="has-shade">
          {video.isLocked && <LockMark video={video} />}
          {video.playTime && <span className="cover-end">{video.playTime}</span>}
        </Cover>
        <Medal rank={rank} />
      </span>
      <span className="rank-text">
        <span className="tile-title">{video.title}</span>
        <span className="rank-figures">
          <Figure video={video} kind={kind} />
          <small className="rank-time">{formatRelativeTime(video.updatedAt, now)}</small>
        </span>
      </span>
    </Link>
  );
}

/**
 * Views or favourites of the period; where the rank uses another measure, total views, small and
 * labelled.
 */
function Figure({ video, kind }: RankRowProps) {
  if (kind === "new" || video.score === 0)
    return <small>累计 {formatViews(video.pageViews)}播放</small>;
  return (
    <>
      <b>{groupDigits(video.score)}</b>
      <small>{kind === "favorites" ? "人收藏" : "次播放"}</small>
    </>
  );
}

/** A row that is on its way. */
export function RankRowSkeleton() {
  return (
    <span className="rank-row">
      <span className="rank-cover">
        <span className="skeleton cover cover-grid" />
      </span>
      <span className="rank-text">
        <span className="skeleton rank-line" />
        <span className="skeleton rank-line is-short" />
      </span>
    </span>
  );
}
