import "./miin.css";
import { IconChevronLeft, IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { usePagedList } from "@/features/list/use-paged-list.ts";
import { listVideos } from "@/shared/api/calls.ts";
import { useConfig } from "@/shared/config/config.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import { Link } from "@/shared/navigation/navigation.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";
import { ShortSlide } from "./short-slide.tsx";
import { useActiveShort } from "./use-active-short.ts";

/** The next page is asked for when this many shorts are left (specification §9). */
const AHEAD = 5;

/** `/miin` (specification §2): shorts over the whole height, one swipe apart. */
export function MiinScreen() {
  const feed = useRef<HTMLDivElement>(null);
  const { shortCategory } = useConfig();
  const [list, state] = usePagedList((page, signal) => listVideos(shortCategory, { orderby: "new", page }, signal));
  const [isMuted, setMuted] = useState(true);
  const { items, status } = state;
  const activeId = useActiveShort(feed, items.length) ?? items[0]?.id;
  const activeIndex = items.findIndex(({ id }) => id === activeId);
  useTitle("miin");

  useEffect(() => {
    if (status === "idle" && items.length > 0 && items.length - activeIndex <= AHEAD) void list.loadNext();
  }, [list, status, items.length, activeIndex]);

  return (
    <div className="miin">
      <header className="miin-head">
        <Link className="icon-button" to="/home" aria-label="返回首页">
          <IconChevronLeft stroke={1.75} aria-hidden="true" />
        </Link>
        <h1>推荐</h1>
        <Link className="icon-button" to="/search" aria-label="搜索">
          <IconSearch stroke={1.75} aria-hidden="true" />
        </Link>
      </header>
      <div ref={feed} className="miin-feed">
        {items.map((video, index) => (
          <ShortSlide
            key={video.id}
            video={video}
            isActive={index === activeIndex}
            isNear={Math.abs(index - activeIndex) <= 1}
            isMuted={isMuted}
            onMuted={setMuted}
          />
        ))}
        {status === "error" && (
          <button type="button" className="miin-note" onClick={() => void list.loadNext()}>
            {TEXT.listFailed}
          </button>
        )}
        {status === "finished" && items.length === 0 && <p className="miin-note">还没有短视频</p>}
      </div>
    </div>
  );
}
