import {
  IconCast,
  IconChevronLeft,
  IconDots,
  IconLock,
  IconLockOpen2,
  IconMaximize,
  IconMinimize,
  IconPictureInPicture,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconReload,
} from "@tabler/icons-react";
import { type ReactNode, useEffect, useState } from "react";
import { canFloat, toggleFloating } from "@/player/picture-in-picture.ts";
import { chooseScreen, watchScreens } from "@/player/remote-playback.ts";
import { formatPlayTime } from "@/shared/format/play-time.ts";
import {
  useControlsVisible,
  useFullscreenMode,
  usePlayback,
  usePlayerParts,
} from "./player-parts.ts";
import { SeekBar } from "./seek-bar.tsx";
import { VolumeControl } from "./volume-control.tsx";

interface ControlsProps {
  readonly title: string;
  readonly storyboard: string | null;
  readonly onBack: () => void;
  readonly onSettings: () => void;
}

/**
 * Everything that can be pressed over the picture. Hidden controls leave a hair line of progress.
 */
export function Controls({
  title,
  storyboard,
  onBack,
  onSettings,
  children,
}: ControlsProps & { readonly children: ReactNode }) {
  const { controls } = usePlayerParts();
  const [scrub, setScrub] = useState<number | null>(null);
  const visible = useControlsVisible();
  const hasFocusWithin = (held: boolean) => {
    controls.hold("focus", held);
    if (held) controls.show();
  };
  return (
    <div
      className="player-controls"
      data-visible={visible}
      data-scrubbing={scrub !== null}
      onFocus={(event) => event.target.matches(":focus-visible") && hasFocusWithin(true)}
      onBlur={() => hasFocusWithin(false)}
      onPointerDownCapture={() => controls.show()}
    >
      <i className="player-shade" aria-hidden="true" />
      <TopBar title={title} onBack={onBack} onSettings={onSettings} />
      {children}
      <div className="player-middle">
        <PlayButton className="player-disc" />
      </div>
      <div className="player-bottom">
        <div className="player-row">
          <PlayButton className="player-button pc-only" />
          <VolumeControl />
          <Clock />
          <span className="spacer" />
          <SettingsButtons onSettings={onSettings} />
          <ScreenButton className="pc-only" />
          <FloatButton className="pc-only" />
          <FullscreenButton />
        </div>
        <SeekBar scrub={scrub} onScrub={setScrub} storyboard={storyboard} />
      </div>
    </div>
  );
}

function TopBar({ title, onBack, onSettings }: Omit<ControlsProps, "storyboard">) {
  const { fullScreen } = usePlayerParts();
  const isFull = useFullscreenMode() !== null;
  return (
    <div className="player-top">
      <PlayerButton
        label={isFull ? "退出全屏" : "返回"}
        onPress={() => (isFull ? void fullScreen.leave() : onBack())}
      >
        <IconChevronLeft stroke={1.75} />
      </PlayerButton>
      {isFull && <b>{title}</b>}
      <span className="spacer" />
      <ScreenButton className="" />
      <FloatButton className="" />
      <PlayerButton label="播放设置" onPress={onSettings}>
        <IconDots stroke={2.5} />
      </PlayerButton>
    </div>
  );
}

/** 播放, 暂停 or, at the end, 重播. */
export function PlayButton({ className }: { readonly className: string }) {
  const { session } = usePlayerParts();
  const playing = usePlayback((state) => state.playing);
  const ended = usePlayback((state) => state.phase === "ended");
  return (
    <button
      type="button"
      className={className}
      aria-label={playing ? "暂停" : ended ? "重播" : "播放"}
      onClick={() => session.toggle()}
    >
      {playing ? (
        <IconPlayerPauseFilled />
      ) : ended ? (
        <IconReload stroke={2} />
      ) : (
        <IconPlayerPlayFilled />
      )}
    </button>
  );
}

function Clock() {
  const time = usePlayback((state) => Math.floor(state.time));
  const duration = usePlayback((state) => state.duration);
  return (
    <span className="player-clock">
      {formatPlayTime(time)}
      <span> / {formatPlayTime(duration)}</span>
    </span>
  );
}

function SettingsButtons({ onSettings }: { readonly onSettings: () => void }) {
  const rate = usePlayback((state) => state.rate);
  const height = usePlayback((state) => state.height);
  const quality = usePlayback((state) => state.quality);
  return (
    <>
      <button
        type="button"
        className="player-text"
        aria-label={`倍速，当前 ${rate} 倍`}
        onClick={onSettings}
      >
        {rate}x
      </button>
      <button type="button" className="player-text" aria-label="清晰度" onClick={onSettings}>
        {height > 0 ? `${height}P` : quality === "auto" ? "自动" : `${quality}P`}
      </button>
    </>
  );
}

function FloatButton({ className }: { readonly className: string }) {
  const { session } = usePlayerParts();
  if (!canFloat()) return null;
  return (
    <PlayerButton
      className={className}
      label="画中画"
      onPress={() => void toggleFloating(session.video)}
    >
      <IconPictureInPicture stroke={1.75} />
    </PlayerButton>
  );
}

/** Sends the picture to a screen near by, where the browser knows of one. */
function ScreenButton({ className }: { readonly className: string }) {
  const { session } = usePlayerParts();
  const [isThere, setThere] = useState(false);
  useEffect(() => {
    const life = new AbortController();
    watchScreens(session.video, setThere, life.signal);
    return () => life.abort();
  }, [session]);
  if (!isThere) return null;
  return (
    <PlayerButton
      className={className}
      label="投屏"
      onPress={() => void chooseScreen(session.video)}
    >
      <IconCast stroke={1.75} />
    </PlayerButton>
  );
}

function FullscreenButton() {
  const { fullScreen } = usePlayerParts();
  const isFull = useFullscreenMode() !== null;
  return (
    <PlayerButton label={isFull ? "退出全屏" : "全屏"} onPress={() => void fullScreen.toggle()}>
      {isFull ? <IconMinimize stroke={1.75} /> : <IconMaximize stroke={1.75} />}
    </PlayerButton>
  );
}

interface ScreenLockProps {
  readonly isLocked: boolean;
  readonly onChange: (isLocked: boolean) => void;
}

/** In full screen: keeps a hand that holds the phone from pressing anything. */
export function ScreenLock({ isLocked, onChange }: ScreenLockProps) {
  return (
    <PlayerButton
      className="player-lock-screen"
      label={isLocked ? "解锁屏幕" : "锁定屏幕"}
      onPress={() => onChange(!isLocked)}
    >
      {isLocked ? <IconLock stroke={1.75} /> : <IconLockOpen2 stroke={1.75} />}
    </PlayerButton>
  );
}

interface PlayerButtonProps {
  readonly label: string;
  readonly onPress: () => void;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A round button over the picture, 44 px. */
export function PlayerButton({ label, onPress, className = "", children }: PlayerButtonProps) {
  return (
    <button
      type="button"
      className={`player-button ${className}`}
      aria-label={label}
      onClick={onPress}
    >
      {children}
    </button>
  );
}
