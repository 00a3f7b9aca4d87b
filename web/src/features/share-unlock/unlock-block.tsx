import "./unlock-block.css";
import { IconLock } from "@tabler/icons-react";
import { useAnswer } from "@/shared/answers/use-answer.ts";
import { listShareVideos } from "@/shared/api/calls.ts";
import type { Video } from "@/shared/api/model.ts";
import { useConfig } from "@/shared/config/config.ts";
import { Cover, Thumb } from "@/shared/covers/cover.tsx";
import { announcePlayIntent } from "@/shared/intent.ts";
import { Link } from "@/shared/navigation/navigation.tsx";
import { SHARE_VIDEOS } from "@/shared/storage/entries.ts";
import { useStored } from "@/shared/storage/use-stored.ts";
import { BlockHead, MoreLink } from "@/shared/ui/tiles/block-head.tsx";
import { playAddress } from "@/shared/ui/tiles/video-tile.tsx";
import { progressOf, UNLOCK_COUNT, type UnlockProgress } from "./unlock-progress.ts";

/** The four newest (specification §9). */
const SHOWN = 4;

/** Videos that are unlocked by sharing. Loaded on its own; a failure is logged only, and the block stays away. */
export function UnlockBlock() {
  const { shareCategory } = useConfig();
  const counts = useStored(SHARE_VIDEOS);
  const { data } = useAnswer(`share-videos ${shareCategory}`, () =>
    listShareVideos({ type: shareCategory, orderby: "new", page: 1 }),
  );
  if (!data || data.items.length === 0) return null;
  return (
    <section aria-label="解锁专区">
      <BlockHead title="解锁专区" note={`分享给 ${UNLOCK_COUNT} 位朋友即可观看`}>
        <MoreLink to={`/list?typeId=${shareCategory}&orderby=new`} label="解锁专区" />
      </BlockHead>
      <div className="unlock-strip">
        {data.items.slice(0, SHOWN).map((video) => (
          <UnlockTile key={video.id} video={video} progress={progressOf(video.id, video.isLocked, counts)} />
        ))}
      </div>
    </section>
  );
}

function UnlockTile({ video, progress }: { readonly video: Video; readonly progress: UnlockProgress }) {
  return (
    <Link className="tile" to={playAddress(video)} onPointerDown={() => announcePlayIntent(video)}>
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
function LockedCover({ video, progress }: { readonly video: Video; readonly progress: UnlockProgress }) {
  return (
    <span className="cover cover-grid has-shade">
      {video.cover.thumb && <Thumb thumb={video.cover.thumb} />}
      <span className="lock-disc">
        <IconLock size={20} stroke={1.75} role="img" aria-label="未解锁" />
      </span>
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
