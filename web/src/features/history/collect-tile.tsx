import "./collect.css";
import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import type { Video } from "@/shared/api/model.ts";
import { Cover } from "@/shared/covers/cover.tsx";
import { announcePlayIntent } from "@/shared/intent.ts";
import { Link } from "@/shared/navigation/navigation.tsx";
import { playAddress, TileMeta } from "@/shared/ui/tiles/video-tile.tsx";

interface CollectTileProps {
  readonly video: Video;
  /** Called when the tile has collapsed. */
  readonly onRemove: () => void;
}

/** A video that the visitor keeps: cover and title lead to it, the X beside the title takes it out. */
export function CollectTile({ video, onRemove }: CollectTileProps) {
  const [isLeaving, setLeaving] = useState(false);
  return (
    <article
      className={`collect-tile ${isLeaving ? "is-leaving" : ""}`}
      data-id={video.id}
      onAnimationEnd={() => isLeaving && onRemove()}
    >
      <Link className="tile" to={playAddress(video)} onPointerDown={() => announcePlayIntent(video)}>
        <Cover picture={video.cover} ratio="search" className="has-shade">
          {video.playTime && <span className="cover-end">{video.playTime}</span>}
        </Cover>
        <span className="tile-title">{video.title}</span>
        <TileMeta video={video} />
      </Link>
      <button
        type="button"
        className="collect-remove"
        aria-label={`移除 ${video.title}`}
        disabled={isLeaving}
        onClick={() => setLeaving(true)}
      >
        <IconX size={18} stroke={2} aria-hidden="true" />
      </button>
    </article>
  );
}
