import type { Video } from "@/shared/api/model.ts";
import { Cover } from "@/shared/covers/cover.tsx";
import { formatViews } from "@/shared/format/count.ts";
import { playIntent } from "@/shared/intent.ts";
import { Link } from "@/shared/navigation/navigation.tsx";
import { LockMark } from "@/shared/ui/tiles/lock-disc.tsx";
import { playAddress, TileMeta } from "@/shared/ui/tiles/video-tile.tsx";

/** A video across a row of the list layout: the cover left, title and figures beside it. */
export function VideoBlock({ video }: { readonly video: Video }) {
  return (
    <Link className="video-block" to={playAddress(video)} {...playIntent(video)}>
      <Cover picture={video.cover} ratio="block" className="has-shade">
        {video.isLocked && <LockMark video={video} />}
        {video.playTime && <span className="cover-end">{video.playTime}</span>}
      </Cover>
      <span className="video-block-text">
        <span className="tile-title">{video.title}</span>
        <span className="video-block-views">{formatViews(video.pageViews)}播放</span>
        <TileMeta video={video} />
      </span>
    </Link>
  );
}
