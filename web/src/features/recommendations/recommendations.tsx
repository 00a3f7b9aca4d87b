"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.

import "./recommendations.css";
import { IconRefresh } from "@tabler/icons-react";
import { type CSSProperties, memo, type TransitionEvent, useState } from "react";
import type { Recommendation, Video } from "@/shared/api/model.ts";
import { BlockHead } from "@/shared/ui/tiles/block-head.tsx";
import { VideoTile } from "@/shared/ui/tiles/video-tile.tsx";
import { useRecommendations } from "./use-recommendations.ts";

/** Tiles on a phone's first screen, whose covers go ahead of all others. */
const EAGER_TILES = 2;

/** The block 推荐, whose tiles flip one after another for a new batch. */
export const Recommendations = memo(function Recommendations({
  first,
}: {
  readonly first: Recommendation;
}) {
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
});

interface FlipTileProps {
  readonly video: Video;
  /** Index in the row: later tiles flip later. */
  readonly place: number;
}

/** A tile that flips around its X axis; its content changes while it is on edge. */
function FlipTile({ video, place }: FlipTileProps) {
  const [shown, setShown] = useState(video);
  const isTurning = shown.id !== video.id;
  const showNext = ({ target, currentTarget }: TransitionEvent<HTMLDivElement>) => {
    // A later tile is still on edge, about to flip back, when the next batch is requested: it then
    // has no flip left except a cancelled one.
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
      <VideoTile video={isTurning ? shown : video} isEager={place < EAGER_TILES} />
    </div>
  );
}
