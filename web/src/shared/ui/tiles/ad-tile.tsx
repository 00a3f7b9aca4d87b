"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.

import "./tiles.css";
import { IconChevronRight } from "@tabler/icons-react";
import type { Ad } from "@/shared/api/model.ts";
import { Cover } from "@/shared/covers/cover.tsx";
import { adLink, isInside } from "./ad-tracking.ts";

/** An advertisement across a whole row of a phone's grid, and in one cell of a wide one. */
export function AdTile({ ad }: { readonly ad: Ad }) {
  return (
    <a className="ad-tile" {...adLink(ad)}>
      <Cover picture={ad.image} ratio="ad">
        {!isInside(ad.url) && <span className="cover-tag">广告</span>}
      </Cover>
      <span className="ad-tile-line">
        <span className="tile-title">{ad.title}</span>
        {ad.url && (
          <span className="ad-tile-go">
            去看看
            <IconChevronRight size={14} stroke={2} aria-hidden="true" />
          </span>
        )}
      </span>
    </a>
  );
}
