"use no memo"; // Drawn so rarely that remembering its parts would only cost bytes of the first bundle.

import "./recommendations.css";
import { IconRefresh } from "@tabler/icons-react";
import { type CSSProperties, type TransitionEvent, useState } from "react";
import type { Recommendation, Video } from "@/shared/api/model.ts";
import { BlockHead } from "@/shared/ui/tiles/block-head.tsx";
import { VideoTile } from "@/shared/ui/tiles/video-tile.tsx";
import { useRecommendations } from "./use-recommendations.ts";

/** Tiles on a phone's first screen, whose covers go ahead of all others. */
const EAGER_TILES = 2;

/**
 * The block 推荐, whose tiles turn over one after another when the visitor asks for another batch.
 */
export function Recommendations({ first }: { readonly first: Recommendation }) {
  const { videos, turn, isLoading, change } = useRecommendations(first);
  return (
    <section className="recommendations" aria-label="推荐">
      <BlockHead title="推荐">
        <button type="button" className="block-more" onClick={change} aria-busy={isLoading}>
          <IconRefresh
            className={`change-icon ${isLoading ? "is-busy" : ""}`}
            style={{ "--turn": turn } as CSSProperties}
            size={16}
            stroke={2}
            aria-hidden="true"
          />
          换一批
        </button>
      </BlockHead>
      <div className="tile-grid" aria-live="polite">
        {videos.map((video, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- a place in the row stays while its video changes: that is what turns
          <FlipTile key={place} video={video} place={place} />
        ))}
      </div>
    </section>
  );
}

interface FlipTileProps {
  readonly video: Video;
  /** Place in the row, from 0: later tiles turn later. */
  readonly place: number;
}

/** A tile that turns on its X axis; what it shows changes while it stands on edge. */
function FlipTile({ video, place }: FlipTileProps) {
  const [shown, setShown] = useState(video);
  const isTurning = shown.id !== video.id;
  const showNext = ({ target, currentTarget }: TransitionEvent<HTMLDivElement>) => {
    // A later tile still stands on edge, waiting to turn back, when the next batch is asked for at
    // once: then there is no way left to turn, only one that is given up.
    if (isTurning && target === currentTarget && currentTarget.getAnimations().length === 0)
      setShown(video);
  };
  return (
    <div
      className={`flip ${isTurning ? "is-leaving" : ""}`}
      style={{ "--place": place } as CSSProperties}
      onTransitionEnd={showNext}
      onTransitionCancel={showNext}
    >
      <VideoTile video={shown} isEager={place < EAGER_TILES} />
    </div>
  );
}
