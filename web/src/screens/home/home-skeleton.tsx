"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.

import "@/shared/ui/skeleton.css";
import "./home-skeleton.css";

const CATEGORIES = 8;
const TILES = 4;

/**
 * Home's boxes before its content: the same positions and sizes, so that nothing moves when it
 * arrives.
 */
export function HomeSkeleton() {
  return (
    <div className="home-top" aria-hidden="true">
      <div className="chip-strip">
        <i className="skeleton skeleton-chip is-short" />
        <i className="skeleton skeleton-chip" />
        <i className="skeleton skeleton-chip" />
        <i className="skeleton skeleton-chip" />
      </div>
      <div className="carousel">
        <div className="skeleton slide" />
      </div>
      <div className="category-icons">
        {Array.from({ length: CATEGORIES }, (_, index) => (
          <span key={index} className="category-icon">
            <i className="skeleton skeleton-icon" />
            <i className="skeleton skeleton-name" />
          </span>
        ))}
      </div>
      <div className="recommendations">
        <div className="block-head">
          <i className="skeleton skeleton-heading" />
        </div>
        <div className="tile-grid">
          {Array.from({ length: TILES }, (_, index) => (
            <SkeletonTile key={index} />
          ))}
        </div>
      </div>
    </div>
  );
}

function SkeletonTile() {
  return (
    <div>
      <i className="skeleton cover cover-grid" />
      <i className="skeleton skeleton-title" />
      <i className="skeleton skeleton-title is-second" />
      <i className="skeleton skeleton-meta" />
    </div>
  );
}
