import "./controls/top-bar/top-bar.css";
import "./veils.css";
import { IconAlertTriangle, IconChevronLeft, IconLock } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { formatPlayTime } from "@/shared/format/play-time.ts";
import { PlayerButton } from "./controls/button/player-button.tsx";
import { FAILURE_TEXT } from "./failure-text.ts";
import { CopyLink } from "./in-app-advice.tsx";
import { usePlayback, usePlayerParts } from "./player-parts.ts";

interface VeilProps {
  readonly onBack: () => void;
  /** The picture beneath must not be recognizable. */
  readonly isBlurred?: boolean;
  readonly children: ReactNode;
}

/** Why nothing plays, over the darkened picture; the way back stays available. */
function Veil({ onBack, isBlurred = false, children }: VeilProps) {
  return (
    <div className="player-veil" data-blurred={isBlurred}>
      <div className="player-top">
        <PlayerButton label="返回" onPress={onBack}>
          <IconChevronLeft stroke={1.75} />
        </PlayerButton>
      </div>
      {children}
    </div>
  );
}

interface FailureVeilProps {
  readonly onBack: () => void;
  /** Opens the quality menu; null where there is nothing to choose from. */
  readonly onQuality: (() => void) | null;
}

/** Playback has failed: the reason, the remembered position, and what can be done. */
export function FailureVeil({ onBack, onQuality }: FailureVeilProps) {
  const { session } = usePlayerParts();
  const failure = usePlayback((state) => state.failure);
  if (!failure) return null;
  return (
    <Veil onBack={onBack}>
      <IconAlertTriangle size={28} stroke={1.75} aria-hidden="true" />
      <b role="alert">视频没有加载出来</b>
      <span>
        {FAILURE_TEXT[failure.reason]}
        {failure.at >= 1 && `，已为你记住 ${formatPlayTime(failure.at)} 的位置`}
      </span>
      <span className="player-veil-actions">
        {onQuality && (
          <button type="button" className="player-veil-button" onClick={onQuality}>
            换清晰度
          </button>
        )}
        <button
          type="button"
          className="player-veil-button is-primary"
          onClick={() => session.retry()}
        >
          重新加载
        </button>
      </span>
    </Veil>
  );
}

interface NoticeVeilProps {
  readonly onBack: () => void;
  readonly title: string;
  readonly text?: string;
  /** What the one button does; none without it. */
  readonly onRetry?: () => void;
  /** Offers the page's address for another browser. */
  readonly isElsewhere?: boolean;
}

/** A sentence instead of the picture, with at most one action. */
export function NoticeVeil({ onBack, title, text, onRetry, isElsewhere = false }: NoticeVeilProps) {
  return (
    <Veil onBack={onBack}>
      <IconAlertTriangle size={28} stroke={1.75} aria-hidden="true" />
      <b role="alert">{title}</b>
      {text && <span>{text}</span>}
      {onRetry && (
        <span className="player-veil-actions">
          <button type="button" className="player-veil-button is-primary" onClick={onRetry}>
            重新加载
          </button>
        </span>
      )}
      {isElsewhere && (
        <span className="player-veil-actions">
          <CopyLink />
        </span>
      )}
    </Veil>
  );
}

interface LockedVeilProps {
  readonly onBack: () => void;
  /** How many friends have opened the link, and how many are needed (specification §4). */
  readonly count: number;
  readonly needed: number;
  readonly onPlay: () => void;
}

/**
 * A share video before it is unlocked. Pressing play shows a message, but never plays
 * (docs/product.md#r30).
 */
export function LockedVeil({ onBack, count, needed, onPlay }: LockedVeilProps) {
  return (
    <Veil onBack={onBack} isBlurred>
      <button type="button" className="player-lock" aria-label="播放（未解锁）" onClick={onPlay}>
        <IconLock size={24} stroke={1.75} aria-hidden="true" />
      </button>
      <b>再有 {needed - count} 位朋友打开就能看</b>
      <span className="player-segments">
        {Array.from({ length: needed }, (_, index) => (
          <i key={index} data-on={index < count} />
        ))}
        {count}/{needed}
      </span>
    </Veil>
  );
}
