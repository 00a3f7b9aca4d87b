import "./unlock-tile.css";
import type { Video } from "@/shared/api/model.ts";
import { Cover, Thumb } from "@/shared/covers/cover.tsx";
import { playIntent } from "@/shared/intent.ts";
import { Link } from "@/shared/navigation/navigation.tsx";
import { LockDisc } from "@/shared/ui/tiles/lock-disc.tsx";
import { playAddress } from "@/shared/ui/tiles/video-tile.tsx";
import { UNLOCK_COUNT, type UnlockProgress } from "@/shared/unlocks/progress.ts";
import { useUnlockProgress } from "@/shared/unlocks/use-unlock-progress.ts";

interface UnlockTileProps {
  readonly video: Video;
  /** The query that follows the id, such as `&ad_show=no`. */
  readonly suffix?: string;
}

/** A share video: its progress instead of its time. */
export function UnlockTile({ video, suffix = "" }: UnlockTileProps) {
  const progress = useUnlockProgress(video);
  return (
    <Link className="tile" to={`${playAddress(video)}${suffix}`} {...playIntent(video)}>
      {progress.isUnlocked ? (
        <Cover picture={video.cover} ratio="grid" className="has-shade">
          <span className="cover-tag">已解锁</span>
          <span className="cover-end">{video.playTime}</span>
        </Cover>
      ) : (
        <LockedCover video={video} progress={progress} />
      )}
      <span className="tile-title">{video.title}</span>
      <span className={`tile-meta ${progress.count > 0 ? "is-near" : ""}`}>{noteOf(progress)}</span>
    </Link>
  );
}

function noteOf({ count, isUnlocked }: UnlockProgress): string {
  if (isUnlocked) return "可以观看了";
  return count > 0 ? `还差 ${UNLOCK_COUNT - count} 位朋友` : `分享给 ${UNLOCK_COUNT} 位朋友解锁`;
}

/** Only the ThumbHash is drawn: a locked picture is not fetched at all. */
function LockedCover({
  video,
  progress,
}: {
  readonly video: Video;
  readonly progress: UnlockProgress;
}) {
  return (
    <span className="cover cover-grid has-shade">
      {video.cover.thumb && <Thumb thumb={video.cover.thumb} />}
      <LockDisc />
      <span className="cover-start">
        <span className="lock-steps" aria-hidden="true">
          {Array.from({ length: UNLOCK_COUNT }, (_, step) => (
            <i key={step} className={step < progress.count ? "is-done" : ""} />
          ))}
        </span>
        {progress.count}/{UNLOCK_COUNT}
      </span>
      <span className="cover-end">{video.playTime}</span>
    </span>
  );
}
