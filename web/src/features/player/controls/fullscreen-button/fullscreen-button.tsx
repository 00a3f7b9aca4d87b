import { IconMaximize, IconMinimize } from "@tabler/icons-react";
import { useFullscreenMode, usePlayerParts } from "../../player-parts.ts";
import { PlayerButton } from "../button/player-button.tsx";

/** Full screen and back. */
export function FullscreenButton() {
  const { fullScreen } = usePlayerParts();
  const isFull = useFullscreenMode() !== null;
  return (
    <PlayerButton label={isFull ? "退出全屏" : "全屏"} onPress={() => void fullScreen.toggle()}>
      {isFull ? <IconMinimize stroke={1.75} /> : <IconMaximize stroke={1.75} />}
    </PlayerButton>
  );
}
