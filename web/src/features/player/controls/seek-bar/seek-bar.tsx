import "./seek-bar.css";
import { type PointerEvent as ReactPointerEvent, useEffect, useRef, useState } from "react";
import type { Chapter } from "@/player/play-info.ts";
import { bubbleCentre, fractionAt } from "@/player/seek-position.ts";
import { fetchStoryboard, pictureAt, type StoryboardPicture } from "@/player/storyboard.ts";
import { formatPlayTime } from "@/shared/format/play-time.ts";
import { usePlayback, usePlayerParts } from "../../player-parts.ts";

const BUBBLE_PX = 132;
/** Width of the storyboard's picture: phones, and pc (design). */
const PREVIEW_PX = 160;
const WIDE_PREVIEW_PX = 200;
/** 8 px from the picture's edge, which is 14 px outside the bar. */
const BUBBLE_MARGIN_PX = 8 - 14;

interface SeekBarProps {
  /** The fraction under the finger while it drags, else null. */
  readonly scrub: number | null;
  readonly onScrub: (fraction: number | null) => void;
  /** Address of the storyboard; null where there is none. */
  readonly storyboard: string | null;
  readonly chapters: readonly Chapter[];
}

/** The progress slider: drag to choose, release to go there. The hit area is 44 px tall. */
export function SeekBar({ scrub, onScrub, storyboard, chapters }: SeekBarProps) {
  const { session, controls } = usePlayerParts();
  const track = useRef<HTMLDivElement>(null);
  const duration = usePlayback((state) => state.duration);
  const time = usePlayback((state) => state.time);
  const buffered = usePlayback((state) => state.buffered);
  const pictures = useStoryboard(storyboard, scrub !== null);
  const shown = scrub === null ? time : scrub * duration;
  const fractionOf = (event: ReactPointerEvent) => {
    const { left = 0, width = 0 } = track.current?.getBoundingClientRect() ?? {};
    return fractionAt(event.clientX, left, width);
  };
  const start = (event: ReactPointerEvent<HTMLElement>) => {
    if (duration <= 0 || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    controls.hold("scrubbing", true);
    onScrub(fractionOf(event));
  };
  const finish = (fraction: number | null) => {
    if (scrub === null) return;
    onScrub(null);
    controls.hold("scrubbing", false);
    if (fraction !== null) session.seek(fraction * duration);
  };

  return (
    <div
      className="seek"
      data-dragging={scrub !== null}
      role="slider"
      tabIndex={0}
      aria-label="播放进度"
      aria-valuemin={0}
      aria-valuemax={Math.round(duration)}
      aria-valuenow={Math.round(shown)}
      aria-valuetext={`${formatPlayTime(shown)}，共 ${formatPlayTime(duration)}`}
      onPointerDown={start}
      onPointerMove={(event) => scrub !== null && onScrub(fractionOf(event))}
      onPointerUp={(event) => finish(fractionOf(event))}
      onPointerCancel={() => finish(null)}
    >
      <div ref={track} className="seek-track">
        <i className="seek-buffered" style={{ width: percent(buffered, duration) }} />
        <PlayedPart scrub={scrub} />
        <ChapterMarks chapters={chapters} duration={duration} />
      </div>
      {scrub !== null && (
        <ScrubBubble
          fraction={scrub}
          duration={duration}
          picture={pictureAt(pictures, scrub * duration)}
          chapter={chapters.findLast((chapter) => chapter.start <= scrub * duration)?.title ?? ""}
        />
      )}
    </div>
  );
}

/** A gap in the bar where a chapter begins. */
function ChapterMarks({
  chapters,
  duration,
}: {
  readonly chapters: readonly Chapter[];
  readonly duration: number;
}) {
  return chapters
    .filter((chapter) => chapter.start > 0 && chapter.start < duration)
    .map((chapter) => (
      <i
        key={chapter.start}
        className="seek-mark"
        style={{ left: percent(chapter.start, duration) }}
      />
    ));
}

/** The coral part and the thumb. While the video plays they follow every frame, outside React. */
function PlayedPart({ scrub }: { readonly scrub: number | null }) {
  const { session } = usePlayerParts();
  const played = useRef<HTMLElement>(null);
  const thumb = useRef<HTMLElement>(null);
  const playing = usePlayback((state) => state.playing);
  const time = usePlayback((state) => state.time);
  const duration = usePlayback((state) => state.duration);
  // A fixed fraction; null while the video itself moves it.
  const still = scrub ?? (playing ? null : duration > 0 ? time / duration : 0);
  useEffect(() => {
    const draw = (at: string) => {
      if (played.current) played.current.style.width = at;
      if (thumb.current) thumb.current.style.left = at;
    };
    if (still !== null) return draw(percent(still, 1));
    let frame = 0;
    const follow = () => {
      draw(percent(session.video.currentTime, duration));
      frame = requestAnimationFrame(follow);
    };
    follow();
    return () => cancelAnimationFrame(frame);
  }, [session, still, duration]);
  return (
    <>
      <i ref={played} className="seek-played" />
      <i ref={thumb} className="seek-thumb" />
    </>
  );
}

/** The storyboard's pictures; none until the first drag requests them. */
function useStoryboard(address: string | null, isWanted: boolean): readonly StoryboardPicture[] {
  const [found, setFound] = useState<{
    address: string;
    pictures: readonly StoryboardPicture[];
  } | null>(null);
  const isAsking = isWanted && address !== null && found?.address !== address;
  useEffect(() => {
    if (!isAsking) return;
    let isGone = false;
    void fetchStoryboard(address).then((pictures) => !isGone && setFound({ address, pictures }));
    return () => {
      isGone = true;
    };
  }, [address, isAsking]);
  return found !== null && found.address === address ? found.pictures : [];
}

interface ScrubBubbleProps {
  readonly fraction: number;
  readonly duration: number;
  readonly picture: StoryboardPicture | null;
  /** The chapter's name; empty where there is none. */
  readonly chapter: string;
}

/** The picture and the time under the finger, kept inside the box. */
function ScrubBubble({ fraction, duration, picture, chapter }: ScrubBubbleProps) {
  const bubble = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => setWidth(bubble.current?.offsetParent?.clientWidth ?? 0), []);
  const previewWidth = matchMedia("(min-width: 1024px)").matches ? WIDE_PREVIEW_PX : PREVIEW_PX;
  return (
    <div
      ref={bubble}
      className={`seek-bubble ${picture ? "has-picture" : ""}`}
      style={{
        left: bubbleCentre(fraction, width, picture ? previewWidth : BUBBLE_PX, BUBBLE_MARGIN_PX),
      }}
    >
      {picture && <Preview picture={picture} width={previewWidth} />}
      {chapter && <p className="seek-chapter">{chapter}</p>}
      <p>
        {formatPlayTime(fraction * duration)}
        <span> / {formatPlayTime(duration)}</span>
      </p>
    </div>
  );
}

/** One picture cut from its sheet. */
function Preview({
  picture,
  width,
}: {
  readonly picture: StoryboardPicture;
  readonly width: number;
}) {
  // A tall picture keeps the height of a wide one.
  const scale = Math.min(width / picture.width, (width * 9) / 16 / picture.height);
  return (
    <i
      className="seek-preview"
      style={{ width: picture.width * scale, height: picture.height * scale }}
    >
      <i
        style={{
          width: picture.width,
          height: picture.height,
          scale,
          backgroundImage: `url("${picture.sheet}")`,
          backgroundPosition: `${-picture.x}px ${-picture.y}px`,
        }}
      />
    </i>
  );
}

function percent(part: number, whole: number): string {
  return `${whole > 0 ? Math.min(100, (part / whole) * 100) : 0}%`;
}
