"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.

import "./category-blocks.css";
import { memo } from "react";
import type { HomeBlock } from "@/shared/api/model.ts";
import { listAddress } from "@/shared/list-address.ts";
import { AdTile } from "@/shared/ui/tiles/ad-tile.tsx";
import { BlockHead, MoreLink } from "@/shared/ui/tiles/block-head.tsx";
import { VideoTile } from "@/shared/ui/tiles/video-tile.tsx";

/** A category's newest videos, with an advertisement where one is shown. */
export const CategoryBlock = memo(function CategoryBlock({
  block,
  isShowAd,
}: {
  readonly block: HomeBlock;
  readonly isShowAd: boolean;
}) {
  const ad = isShowAd ? block.ad : null;
  return (
    <section className="category-block" aria-label={block.name}>
      <BlockHead title={block.name}>
        <MoreLink to={listAddress(block.id)} label={block.name} />
      </BlockHead>
      <div className="tile-grid">
        {block.videos.map((video) => (
          <VideoTile key={video.id} video={video} />
        ))}
        {ad && <AdTile ad={ad} />}
      </div>
    </section>
  );
});
