import "./short-signs.css";
import {
  IconChevronDown,
  IconChevronUp,
  IconPlayerPlayFilled,
  IconPlayerSkipForwardFilled,
} from "@tabler/icons-react";
import { type CSSProperties, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { placesBySlot, slotOf } from "@/player/short-order.ts";
import type { ShortStage } from "@/player/short-stage.ts";
import { showMessage } from "@/shared/messages/message-store.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import type { ListStatus } from "@/shared/server-state/paging.ts";
import { read, write } from "@/shared/storage/registry.ts";
import { SHORTS_MUTED } from "@/shared/storage/screen-entries.ts";
import { useStored } from "@/shared/storage/use-stored.ts";
import { type CachedFeed, shortStage } from "./cached-feed.ts";
import type { FeedItem } from "./feed-items.ts";
import { ShortProgress } from "./short-progress.tsx";
import { announceComing, ShortSide } from "./short-side.tsx";
import { ShortSlide } from "./short-slide.tsx";
import { usePageTurning } from "./use-page-turning.ts";
import { useShortTaps } from "./use-short-taps.ts";

interface ShortFeedProps {
  readonly feed: CachedFeed;
  readonly items: readonly FeedItem[];
  readonly status: ListStatus;
  readonly active: number;
  /** Seconds into the clip on screen. */
  readonly startAt: number;
}

/** The track with its three slides, and what lies over the current one. */
export function ShortFeed({ feed, items, status, active, startAt }: ShortFeedProps) {
  const [stage] = useState(shortStage);
  const box = useRef<HTMLDivElement>(null);
  const track = useRef<HTMLDivElement>(null);
  const muted = useStore(stage.store, (state) => state.muted);
  const item = items[active];
  const turn = usePageTurning(box, track, {
    active,
    count: items.length,
    onStep: (step) => feed.place.setState({ active: active + step, at: 0 }),
    onApproach: (step) => stage.approach(step),
    onEnd: () => {
      if (status === "finished") showMessage(TEXT.listEnd);
      if (status === "error") void feed.list.loadNext();
    },
  });
  useProgramme(stage, feed, items, active, startAt);
  const changeSound = (isMuted: boolean) => {
    stage.setMuted(isMuted);
    write(SHORTS_MUTED, isMuted);
  };

  return (
    <>
      <div ref={box} className="miin-stage">
        <div ref={track} className="miin-track" style={{ "--place": active } as CSSProperties}>
          {placesBySlot(active).map((place) => (
            // The slot is the key: its element stays in the document whatever clip it shows.
            <ShortSlide
              key={slotOf(place)}
              slot={stage.slotAt(place)}
              item={items[place] ?? null}
              place={place}
              isActive={place === active}
            />
          ))}
        </div>
        {item?.kind === "video" && <Surface stage={stage} isMuted={muted} onMuted={changeSound} />}
        {item && <ShortSide item={item} isMuted={muted} onMuted={changeSound} />}
        {item?.kind === "video" && <ShortProgress key={active} slot={stage.slotAt(active)} />}
        {status === "error" && active === items.length - 1 && (
          <button
            type="button"
            className="miin-note is-floating"
            onClick={() => void feed.list.loadNext()}
          >
            {TEXT.listFailed}
          </button>
        )}
      </div>
      <div className="miin-arrows">
        <button type="button" aria-label="上一个" disabled={active === 0} onClick={() => turn(-1)}>
          <IconChevronUp stroke={1.75} aria-hidden="true" />
        </button>
        <button type="button" aria-label="下一个" onClick={() => turn(1)}>
          <IconChevronDown stroke={1.75} aria-hidden="true" />
        </button>
      </div>
    </>
  );
}

/** Shows the current clip on the stage; remembers the position when the feed is left. */
function useProgramme(
  stage: ShortStage,
  feed: CachedFeed,
  items: readonly FeedItem[],
  active: number,
  startAt: number,
): void {
  useLayoutEffect(() => {
    const idAt = (place: number) => {
      const item = items[place];
      return item?.kind === "video" ? item.id : null;
    };
    stage.show({ active, idAt, startAt });
  }, [stage, items, active, startAt]);
  useEffect(() => {
    stage.setMuted(read(SHORTS_MUTED));
    return () => {
      feed.place.setState({ at: stage.time });
      feed.leftAt = Date.now();
      stage.leave();
    };
  }, [stage, feed]);
}

interface SurfaceProps {
  readonly stage: ShortStage;
  readonly isMuted: boolean;
  readonly onMuted: (isMuted: boolean) => void;
}

/** The clip as a button: a tap pauses it, or turns on the sound that the browser withheld. */
function Surface({ stage, isMuted, onMuted }: SurfaceProps) {
  const paused = useStore(stage.store, (state) => state.paused);
  const [isHolding, setHolding] = useState(false);
  // Sound turned off by the visitor stays off; sound withheld by the browser comes with a tap.
  const isWithheld = !useStored(SHORTS_MUTED) && isMuted;
  const taps = useShortTaps({
    onFirst: () => {
      if (isWithheld) onMuted(false);
      return isWithheld;
    },
    onTap: () => stage.toggle(),
    onDoubleTap: announceComing,
    onHold: (held) => {
      stage.hold(held);
      setHolding(held);
    },
  });
  useSpaceBar(() => stage.toggle());
  return (
    <>
      <button
        type="button"
        className="short-tap"
        aria-label={isWithheld ? "打开声音" : paused ? "播放" : "暂停"}
        {...taps}
      />
      <div className="short-signs">
        {paused && <IconPlayerPlayFilled size={72} aria-hidden="true" />}
        {isWithheld && <span className="short-hint">轻点打开声音</span>}
        {isHolding && (
          <span className="short-hint" role="status">
            <IconPlayerSkipForwardFilled size={14} aria-hidden="true" />
            2x 播放中
          </span>
        )}
      </div>
    </>
  );
}

/** Space pauses from anywhere on the page, unless the focused element uses it. */
function useSpaceBar(onPress: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isOwned =
        event.target instanceof Element &&
        event.target.closest("input, textarea, button, a, dialog");
      if (event.key !== " " || event.defaultPrevented || isOwned) return;
      event.preventDefault();
      onPress();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [onPress]);
}
