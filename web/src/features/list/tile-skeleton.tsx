import "@/shared/ui/skeleton.css";
import type { CoverRatio } from "@/shared/covers/cover.tsx";

/** A tile that is loading. */
export function TileSkeleton({ ratio = "grid" }: { readonly ratio?: CoverRatio }) {
  return (
    <span className="tile-skeleton">
      <span className={`skeleton cover cover-${ratio}`} />
      <span className="skeleton tile-skeleton-line" />
      <span className="skeleton tile-skeleton-line is-short" />
    </span>
  );
}

/** A row that is loading. */
export function RowSkeleton() {
  return (
    <span className="row-skeleton">
      <span className="skeleton cover cover-block" />
      <span className="tile-skeleton">
        <span className="skeleton tile-skeleton-line" />
        <span className="skeleton tile-skeleton-line is-short" />
      </span>
    </span>
  );
}
