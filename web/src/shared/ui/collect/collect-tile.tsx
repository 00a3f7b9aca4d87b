import "./collect.css";
import { IconX } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { Video } from "@/shared/api/model.ts";
import { Cover } from "@/shared/covers/cover.tsx";
import { playIntent } from "@/shared/intent.ts";
import { Link } from "@/shared/navigation/navigation.tsx";
import { playAddress, TileMeta } from "@/shared/ui/tiles/video-tile.tsx";

interface CollectTileProps {
  readonly video: Video;
  /** The line under the title; update time and category by default. */
  readonly meta?: ReactNode;
  /** Asked before the tile is removed; it stays if the answer is false. */
  readonly onConfirm?: () => Promise<boolean>;
  /** Called when the tile has collapsed; without it there is no X. */
  readonly onRemove?: () => void;
}

/**
 * A video in a visitor's collection: cover and title lead to it, the X beside the title removes it.
 */
export function CollectTile({ video, meta, onConfirm, onRemove }: CollectTileProps) {
  const [phase, setPhase] = useState<"rest" | "asking" | "leaving">("rest");
  const press = async () => {
    setPhase("asking");
    const isConfirmed = onConfirm ? await onConfirm() : true;
    setPhase(isConfirmed ? "leaving" : "rest");
  };
  return (
    <article
      className={`collect-tile is-${phase}`}
      data-id={video.id}
      onAnimationEnd={() => phase === "leaving" && onRemove?.()}
    >
      <Link className="tile" to={playAddress(video)} {...playIntent(video)}>
        <Cover picture={video.cover} ratio="search" className="has-shade">
          {video.playTime && <span className="cover-end">{video.playTime}</span>}
        </Cover>
        <span className="tile-title">{video.title}</span>
        {meta ?? <TileMeta video={video} />}
      </Link>
      {onRemove && (
        <button
          type="button"
          className="collect-remove"
          aria-label={`移除 ${video.title}`}
          disabled={phase !== "rest"}
          onClick={() => void press()}
        >
          <IconX size={18} stroke={2} aria-hidden="true" />
        </button>
      )}
    </article>
  );
}
