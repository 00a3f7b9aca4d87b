"use no memo"; // Drawn so rarely that remembering its parts would only cost bytes of the first bundle.

import "@/shared/ui/skeleton.css";

const CATEGORIES = 8;
const TILES = 4;

/** Home's boxes before its content: the same places and sizes, so that nothing moves when it comes. */
export function HomeSkeleton() {
  return (
    <div className="home-top" aria-hidden="true">
      <div className="chip-strip">
        <i className="skeleton h-7.5 w-13 flex-none rounded-full" />
        <i className="skeleton h-7.5 w-20 flex-none rounded-full" />
        <i className="skeleton h-7.5 w-20 flex-none rounded-full" />
        <i className="skeleton h-7.5 w-20 flex-none rounded-full" />
      </div>
      <div className="carousel">
        <div className="skeleton slide" />
      </div>
      <div className="category-icons">
        {Array.from({ length: CATEGORIES }, (_, index) => (
          <span key={index} className="category-icon">
            <i className="skeleton size-11.5 rounded-2xl pc:size-9 pc:rounded-xl" />
            <i className="skeleton h-4 w-6" />
          </span>
        ))}
      </div>
      <div className="recommendations">
        <div className="block-head">
          <i className="skeleton h-5 w-12" />
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
      <i className="skeleton mt-2.5 block h-3 w-11/12" />
      <i className="skeleton mt-2 block h-3 w-7/12" />
      <i className="skeleton mt-2.5 block h-2.5 w-4/12" />
    </div>
  );
}
