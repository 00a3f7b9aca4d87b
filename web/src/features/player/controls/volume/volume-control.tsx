import "../button/player-button.css";
import "./volume-control.css";
import { IconVolume, IconVolume2, IconVolumeOff } from "@tabler/icons-react";
import { usePlayback, usePlayerParts } from "../../player-parts.ts";

const LOUD = 0.5;

/** Mute button and volume slider for pc; phones have keys of their own. */
export function VolumeControl() {
  const { session } = usePlayerParts();
  const volume = usePlayback((state) => state.volume);
  const muted = usePlayback((state) => state.muted);
  const shown = muted ? 0 : volume;
  const Icon = shown === 0 ? IconVolumeOff : shown < LOUD ? IconVolume2 : IconVolume;
  return (
    <span className="player-volume pc-only">
      <button
        type="button"
        className="player-button"
        aria-label={muted ? "取消静音" : "静音"}
        onClick={() => session.setMuted(!muted)}
      >
        <Icon stroke={1.75} />
      </button>
      <input
        type="range"
        min={0}
        max={1}
        step={0.05}
        value={shown}
        aria-label="音量"
        onChange={(event) => session.setVolume(event.target.valueAsNumber)}
      />
    </span>
  );
}
