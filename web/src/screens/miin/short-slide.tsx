import "./short-signs.css";
import "./short-slide.css";
import { useLayoutEffect, useRef } from "react";
import { useStore } from "zustand";
import type { ShortSlot } from "@/player/short-slot.ts";
import type { Ad, Video } from "@/shared/api/model.ts";
import { Cover } from "@/shared/covers/cover.tsx";
import { formatViews } from "@/shared/format/count.ts";
import { Link } from "@/shared/navigation/navigation.tsx";
import { adLink } from "@/shared/ui/tiles/ad-tracking.ts";
import type { FeedItem } from "./feed-items.ts";

interface ShortSlideProps {
  readonly slot: ShortSlot;
  /** Null beyond the end of the feed: the slot's element waits in the document. */
  readonly item: FeedItem | null;
  /** Place in the feed, from 0. */
  readonly place: number;
  readonly isActive: boolean;
}

/**
 * One of the three slides: the slot's permanent element, and what belongs to the clip or
 * advertisement around it.
 */
export function ShortSlide({ slot, item, place, isActive }: ShortSlideProps) {
  const host = useRef<HTMLDivElement>(null);
  const drawn = useStore(slot.store, (state) => state.drawn);
  const failed = useStore(slot.store, (state) => state.failed);
  useLayoutEffect(() => {
    host.current?.append(slot.video);
  }, [slot]);
  const isWide = item?.kind === "video" && item.width >= item.height;
  return (
    <section
      className="short"
      style={{ top: `${place * 100}%` }}
      data-id={item?.id}
      data-kind={item?.kind ?? "none"}
      aria-label={item?.title}
      aria-hidden={!isActive}
      inert={!isActive}
    >
      {item && (
        <Cover
          key={`${item.kind} ${item.id}`}
          picture={coverOf(item)}
          ratio="fill"
          className="short-cover"
          isEager
        />
      )}
      <div ref={host} className="short-host" data-drawn={drawn} data-wide={isWide} />
      {failed && <span className="short-failed">这个视频暂时无法播放</span>}
      <i className="short-shade" aria-hidden="true" />
      {item?.kind === "video" && <ShortInfo video={item} />}
      {item?.kind === "ad" && <AdInfo ad={item} />}
    </section>
  );
}

function coverOf(item: FeedItem) {
  return item.kind === "ad" ? item.image : item.cover;
}

function ShortInfo({ video }: { readonly video: Video }) {
  return (
    <div className="short-info">
      <h2>{video.title}</h2>
      <p>{formatViews(video.pageViews)}播放</p>
      <div className="short-labels">
        {video.labels.slice(0, 3).map(({ id, name }) => (
          <Link key={id} to={`/searchList?${new URLSearchParams({ search: name })}`}>
            <span>{name}</span>
          </Link>
        ))}
      </div>
    </div>
  );
}

function AdInfo({ ad }: { readonly ad: Ad }) {
  return (
    <div className="short-info">
      <h2>
        {ad.title}
        <i className="short-ad-mark">广告</i>
      </h2>
      {ad.text && <p className="short-ad-text">{ad.text}</p>}
      {ad.url && (
        <a className="short-ad-link" {...adLink(ad)}>
          了解详情
        </a>
      )}
    </div>
  );
}
