import "./top-bar.css";
import { IconChevronLeft, IconDots } from "@tabler/icons-react";
import { useFullscreenMode, usePlayback, usePlayerParts } from "../../player-parts.ts";
import { PlayerButton } from "../button/player-button.tsx";
import { FloatButton } from "../float-button/float-button.tsx";
import { ScreenButton } from "../screen-button/screen-button.tsx";

interface TopBarProps {
  readonly title: string;
  readonly onBack: () => void;
  readonly onSettings: () => void;
}

/** The way back, and on phones settings and picture outputs. */
export function TopBar({ title, onBack, onSettings }: TopBarProps) {
  const isStarted = usePlayback((state) => state.started);
  const isFull = useFullscreenMode() !== null;
  return (
    <div className="player-top">
      {isStarted && <WayBack onBack={onBack} />}
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

/**
 * The way back before playback starts. Controls that nobody has asked for are hidden then, and where
 * the browser refused to start there are none.
 */
export function EarlyWayBack({ onBack }: Pick<TopBarProps, "onBack">) {
  return (
    <div className="player-top is-early">
      <WayBack onBack={onBack} />
    </div>
  );
}

/** Out of full screen first, then back to where the visitor came from. */
function WayBack({ onBack }: Pick<TopBarProps, "onBack">) {
  const { fullScreen } = usePlayerParts();
  const isFull = useFullscreenMode() !== null;
  return (
    <PlayerButton
      label={isFull ? "退出全屏" : "返回"}
      onPress={() => (isFull ? void fullScreen.leave() : onBack())}
    >
      <IconChevronLeft stroke={1.75} />
    </PlayerButton>
  );
}
