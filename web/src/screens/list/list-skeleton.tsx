import "@/shared/ui/skeleton.css";
import "./list-screen.css";
import { Placeholders } from "@/features/list/paged-items.tsx";
import { RowSkeleton, TileSkeleton } from "@/features/list/tile-skeleton.tsx";
import type { ListLayout } from "@/features/list/video-results.tsx";
import { NavBar } from "@/shared/ui/nav-bar.tsx";

const TABS = 8;
const ITEMS = 20;

/** The videos of a category that is loading. */
export function ListPlaceholders({ layout }: { readonly layout: ListLayout }) {
  const isGrid = layout === "grid";
  return (
    <div className="list-body">
      <div className="list-head">
        <i className="skeleton skeleton-segments" />
      </div>
      <Placeholders
        count={ITEMS}
        className={isGrid ? "chunk-grid" : "chunk-rows"}
        skeleton={isGrid ? <TileSkeleton /> : <RowSkeleton />}
      />
    </div>
  );
}

/**
 * The list's boxes before its code has come: the same positions and sizes, so that nothing moves
 * when it arrives. Names are left out: the document is built before they are known.
 */
export function ListSkeleton() {
  return (
    <>
      <NavBar title="" />
      <div className="category-strip">
        <div className="category-tabs">
          {Array.from({ length: TABS }, (_, index) => (
            <i key={index} className="skeleton skeleton-tab" />
          ))}
        </div>
      </div>
      <div className="panes">
        <ListPlaceholders layout="grid" />
      </div>
    </>
  );
}
