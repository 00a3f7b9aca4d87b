import "./video-row.css";
import { useDeferredValue, useEffect, useRef } from "react";
import { TEXT } from "@/shared/messages/texts.ts";
import { queryKeys } from "@/shared/server-state/query-keys.ts";
import { usePagedList } from "@/shared/server-state/use-paged-list.ts";
import { listSimilarVideos } from "./calls.ts";
import { RowSkeleton, VideoRow } from "./video-row.tsx";

const FIRST_ROWS = 6;
/** How far below the window the next page is asked for. */
const AHEAD = "600px";

interface SimilarListProps {
  readonly id: number;
  readonly now: number;
  readonly suffix: string;
}

/** Videos that resemble the one on the page; more arrive as one scrolls. */
export function SimilarList({ id, now, suffix }: SimilarListProps) {
  const [list, { status, items: videos }] = usePagedList(
    (page, signal) => listSimilarVideos(id, page, signal),
    { cacheKey: queryKeys.similar(id) },
  );
  // The first ones, then the rest in a rendering of their own: a whole page at once is a long task
  // on a slow phone.
  const shown = useDeferredValue(videos.length, FIRST_ROWS);
  // Not before all of them are drawn: until then the end of the list is nearer than it will be.
  const canLoad = shown >= videos.length && videos.length > 0 && status === "idle";
  const isLoading = status === "loading" || (status === "idle" && videos.length === 0);
  const sentinel = useNearEnd(canLoad, () => void list.loadNext());

  return (
    <section className="similar" aria-label="相似视频">
      <h2>相似视频</h2>
      {videos.slice(0, shown).map((video) => (
        <VideoRow key={video.id} video={video} now={now} suffix={suffix} />
      ))}
      {isLoading && <RowSkeleton count={videos.length > 0 ? 1 : FIRST_ROWS} />}
      {status === "error" && (
        <button type="button" className="list-retry" onClick={() => void list.loadNext()}>
          {TEXT.listFailed}
        </button>
      )}
      {status === "finished" && <p className="list-end">{TEXT.listEnd}</p>}
      <i ref={sentinel} aria-hidden="true" />
    </section>
  );
}

/** Calls `onNear` when the returned element comes near the window while there is more to load. */
function useNearEnd(canLoad: boolean, onNear: () => void) {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!canLoad || !element.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onNear(), {
      rootMargin: AHEAD,
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [canLoad, onNear]);
  return element;
}
