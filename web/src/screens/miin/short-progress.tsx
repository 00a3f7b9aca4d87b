import "./short-progress.css";
import {
  type KeyboardEvent,
  type PointerEvent as ReactPointerEvent,
  useEffect,
  useRef,
  useState,
} from "react";
import { fractionAt } from "@/player/seek-position.ts";
import type { ShortSlot } from "@/player/short-slot.ts";
import { clamp } from "@/shared/clamp.ts";
import { formatPlayTime } from "@/shared/format/play-time.ts";

/** How far an arrow key moves, seconds: shorts are short. */
const KEY_STEP_S = 2;

/**
 * The thin line at the lower edge. It follows the clip outside React; dragging it seeks on release.
 */
export function ShortProgress({ slot }: { readonly slot: ShortSlot }) {
  const bar = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLElement>(null);
  const [scrub, setScrub] = useState<number | null>(null);
  useEffect(() => {
    const draw = (fraction: number) => line.current?.style.setProperty("scale", `${fraction} 1`);
    if (scrub !== null) return draw(scrub);
    let frame = 0;
    const follow = () => {
      const { currentTime, duration } = slot.video;
      const fraction = duration > 0 ? clamp(currentTime / duration, 0, 1) : 0;
      draw(fraction);
      bar.current?.setAttribute("aria-valuenow", String(Math.round(fraction * 100)));
      bar.current?.setAttribute("aria-valuetext", formatPlayTime(currentTime));
      frame = requestAnimationFrame(follow);
    };
    follow();
    return () => cancelAnimationFrame(frame);
  }, [slot, scrub]);

  const fractionOf = (event: ReactPointerEvent) => {
    const { left = 0, width = 0 } = bar.current?.getBoundingClientRect() ?? {};
    return fractionAt(event.clientX, left, width);
  };
  const finish = (fraction: number | null) => {
    if (scrub === null) return;
    setScrub(null);
    if (fraction !== null) slot.seek(fraction * slot.duration);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowRight: KEY_STEP_S, ArrowLeft: -KEY_STEP_S }[event.key];
    if (!step) return;
    event.preventDefault();
    slot.seek(slot.video.currentTime + step);
  };
  return (
    <>
      {scrub !== null && (
        <p className="short-clock" aria-hidden="true">
          {formatPlayTime(scrub * slot.duration)}
          <span> / {formatPlayTime(slot.duration)}</span>
        </p>
      )}
      <div
        ref={bar}
        className="short-progress"
        data-dragged={scrub !== null}
        role="slider"
        tabIndex={0}
        aria-label="播放进度"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={0}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setScrub(fractionOf(event));
        }}
        onPointerMove={(event) => scrub !== null && setScrub(fractionOf(event))}
        onPointerUp={(event) => finish(fractionOf(event))}
        onPointerCancel={() => finish(null)}
        onKeyDown={onKey}
      >
        <i>
          <i ref={line} />
        </i>
      </div>
    </>
  );
}
