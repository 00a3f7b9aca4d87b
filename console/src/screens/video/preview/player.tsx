import { IconPlayerPlayFilled } from "@tabler/icons-react";
import { type RefObject, useEffect, useState } from "react";
import { coverAddress } from "@/features/videos/cover.tsx";
import { attach } from "@/screens/video/preview/play.ts";
import type { Playback, VideoRow } from "@/shared/api/types.ts";
import { clock } from "@/shared/format/clock.ts";

interface PlayerProps {
  readonly video: VideoRow;
  readonly playback: Playback;
  readonly element: RefObject<HTMLVideoElement | null>;
  readonly onStart: () => void;
}

/** The cover, and once it is tapped the film: hidden, scheduled and removed ones too. */
export function Player({ video, playback, element, onStart }: PlayerProps) {
  const [isStarted, setStarted] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    if (!isStarted || !element.current) return;
    return attach(element.current, playback, setFault);
  }, [isStarted, playback, element]);
  const poster = coverAddress(video) ?? undefined;
  if (!isStarted)
    return (
      <button
        type="button"
        className="player player-start"
        onClick={() => {
          setStarted(true);
          onStart();
        }}
      >
        {poster ? <img src={poster} alt="" /> : null}
        <span className="player-mark">
          <IconPlayerPlayFilled size={28} aria-hidden="true" />
        </span>
        <span className="sr-only">播放预览</span>
        <span className="cover-time">{clock(video.duration)}</span>
      </button>
    );
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- the film's own, where it has any */}
      <video
        ref={element}
        className="player"
        controls
        autoPlay
        playsInline
        poster={poster}
        aria-label={`预览：${video.title}`}
      >
        {playback.subtitles.map(({ lang, label, url }) => (
          <track key={url} kind="subtitles" src={url} srcLang={lang} label={label} />
        ))}
      </video>
      {fault ? (
        <div className="player-fault" role="alert">
          <p className="field-fault">{fault}</p>
          <button
            type="button"
            className="button button-small"
            onClick={() => {
              setFault(null);
              setStarted(false);
            }}
          >
            再试一次
          </button>
        </div>
      ) : null}
    </>
  );
}
