import { IconPlayerPlayFilled, IconVolume, IconVolumeOff } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import type { Engine } from "@/player/engine.ts";
import { fetchPlayInfo } from "@/player/play-info.ts";
import type { Video } from "@/shared/api/model.ts";
import { Cover } from "@/shared/covers/cover.tsx";
import { formatShortCount } from "@/shared/format/count.ts";
import { Link } from "@/shared/navigation/navigation.tsx";
import { openShort } from "./short-engine.ts";

interface ShortSlideProps {
  readonly video: Video;
  /** It fills the window: it plays. */
  readonly isActive: boolean;
  /** It is the active one or a neighbour: its element is ready. */
  readonly isNear: boolean;
  readonly isMuted: boolean;
  readonly onMuted: (isMuted: boolean) => void;
}

/** One short over the whole height. */
export function ShortSlide({ video, isActive, isNear, isMuted, onMuted }: ShortSlideProps) {
  return (
    <section className="short" data-id={video.id} aria-label={video.title}>
      <Cover picture={video.cover} ratio="fill" className="short-cover" />
      {isNear && <ShortPlayer video={video} isActive={isActive} isMuted={isMuted} onMuted={onMuted} />}
      <div className="short-shade" />
      <div className="short-side">
        <button type="button" aria-label={isMuted ? "打开声音" : "关闭声音"} onClick={() => onMuted(!isMuted)}>
          {isMuted ? (
            <IconVolumeOff size={32} stroke={1.75} aria-hidden="true" />
          ) : (
            <IconVolume size={32} stroke={1.75} aria-hidden="true" />
          )}
          {isMuted ? "静音" : "声音"}
        </button>
      </div>
      <div className="short-info">
        <h2>{video.title}</h2>
        <p>{formatShortCount(video.pageViews)}次播放</p>
        <div className="short-labels">
          {video.labels.slice(0, 3).map(({ id, name }) => (
            <Link key={id} to={`/searchList?${new URLSearchParams({ search: name })}`}>
              <span>{name}</span>
            </Link>
          ))}
        </div>
      </div>
    </section>
  );
}

type ShortPlayerProps = Omit<ShortSlideProps, "isNear">;

function ShortPlayer({ video, isActive, isMuted, onMuted }: ShortPlayerProps) {
  const element = useRef<HTMLVideoElement>(null);
  const progress = useRef<HTMLElement>(null);
  const [isPaused, setPaused] = useState(false);
  const [isFailed, setFailed] = useState(false);
  const [isDrawn, setDrawn] = useState(false);

  useEffect(() => {
    const player = element.current;
    if (!player) return;
    let engine: Engine | null = null;
    let isGone = false;
    const open = async () => {
      try {
        const { sources } = await fetchPlayInfo(video.id);
        if (isGone) return;
        engine = openShort(player, sources, () => setFailed(true));
        if (!engine) setFailed(true);
      } catch (error) {
        console.warn(error);
        if (!isGone) setFailed(true);
      }
    };
    void open();
    return () => {
      isGone = true;
      engine?.close();
    };
  }, [video.id]);

  useEffect(() => {
    const player = element.current;
    if (!player || !isActive || isPaused) return;
    const play = () => {
      player.play().catch((error: unknown) => console.info("自动播放被浏览器拦截", error));
    };
    play();
    // The source may arrive later than the swipe.
    player.addEventListener("loadeddata", play);
    return () => {
      player.removeEventListener("loadeddata", play);
      player.pause();
    };
  }, [isActive, isPaused]);

  const drawProgress = () => {
    const { currentTime = 0, duration = 0 } = element.current ?? {};
    if (progress.current && duration > 0) progress.current.style.scale = `${currentTime / duration} 1`;
  };
  // The first tap brings the sound, which browsers allow only then; later ones pause.
  const tap = () => (isMuted ? onMuted(false) : setPaused(!isPaused));
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a short has no speech track of its own to caption */}
      <video
        ref={element}
        className={`short-video ${isDrawn ? "is-drawn" : ""}`}
        muted={isMuted}
        loop
        playsInline
        preload="auto"
        tabIndex={-1}
        onPlaying={() => setDrawn(true)}
        onTimeUpdate={drawProgress}
      />
      <button
        type="button"
        className="short-tap"
        aria-label={isMuted ? "打开声音" : isPaused ? "播放" : "暂停"}
        onClick={tap}
      >
        {isPaused && !isFailed && <IconPlayerPlayFilled size={72} aria-hidden="true" />}
        {isFailed && <span className="short-failed">这个视频暂时无法播放</span>}
        {isActive && isMuted && !isFailed && <span className="short-hint">轻点打开声音</span>}
      </button>
      <i className="short-progress" aria-hidden="true">
        <i ref={progress} />
      </i>
    </>
  );
}
