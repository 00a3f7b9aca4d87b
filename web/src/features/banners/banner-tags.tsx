"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.

import "./banners.css";
import type { BannerTag } from "@/shared/api/model.ts";

interface BannerTagsProps {
  readonly tags: readonly BannerTag[];
  readonly activeId: number;
  readonly onSelect: (id: number) => void;
}

/** The chips above the carousel. */
export function BannerTags({ tags, activeId, onSelect }: BannerTagsProps) {
  return (
    <div className="chip-strip" role="group" aria-label="轮播图标签">
      {tags.map((tag) => (
        <button
          key={tag.id}
          type="button"
          className={`chip ${tag.id === activeId ? "is-active" : ""}`}
          aria-pressed={tag.id === activeId}
          onClick={(event) => {
            event.currentTarget.scrollIntoView({
              block: "nearest",
              inline: "center",
              behavior: "smooth",
            });
            onSelect(tag.id);
          }}
        >
          {tag.name}
        </button>
      ))}
    </div>
  );
}
