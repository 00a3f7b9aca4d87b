import "@/shared/ui/tiles/tiles.css";
import type { Video } from "@/shared/api/model.ts";
import { Cover } from "@/shared/covers/cover.tsx";
import { playIntent } from "@/shared/intent.ts";
import { Link } from "@/shared/navigation/navigation.tsx";
import { LockMark } from "@/shared/ui/tiles/lock-disc.tsx";
import { CoverFigures, playAddress, TileMeta } from "@/shared/ui/tiles/video-tile.tsx";
import { markedParts } from "./marked-text.ts";

interface FoundTileProps {
  readonly video: Video;
  /** What was searched: its words are marked in the title. */
  readonly term: string;
  /** On the first screen: its cover loads at once. */
  readonly isEager: boolean;
}

/**
 * A video among search results. It is separate from `VideoTile`, which is in home's bundle and must
 * stay small.
 */
export function FoundTile({ video, term, isEager }: FoundTileProps) {
  return (
    <Link className="tile" to={playAddress(video)} {...playIntent(video)}>
      <Cover picture={video.cover} ratio="search" isEager={isEager} className="has-shade">
        {video.isLocked && <LockMark video={video} />}
        <CoverFigures video={video} />
      </Cover>
      <span className="tile-title">
        {markedParts(video.title, term).map(({ text, isMarked }, place) => {
          const key = `${place} ${text}`;
          return isMarked ? <mark key={key}>{text}</mark> : <span key={key}>{text}</span>;
        })}
      </span>
      <TileMeta video={video} />
    </Link>
  );
}
