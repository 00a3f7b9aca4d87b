import { IconLock, IconLockOpen2 } from "@tabler/icons-react";
import { PlayerButton } from "../button/player-button.tsx";
import "./screen-lock.css";

interface ScreenLockProps {
  readonly isLocked: boolean;
  readonly onChange: (isLocked: boolean) => void;
}

/** In full screen: locks the controls against accidental touches. */
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
