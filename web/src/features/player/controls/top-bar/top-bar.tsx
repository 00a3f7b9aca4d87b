import "./top-bar.css";
import { IconChevronLeft, IconDots } from "@tabler/icons-react";
import { useFullscreenMode, usePlayerParts } from "../../player-parts.ts";
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
