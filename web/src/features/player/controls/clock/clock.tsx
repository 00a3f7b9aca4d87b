import "./clock.css";
import { formatPlayTime } from "@/shared/format/play-time.ts";
import { usePlayback } from "../../player-parts.ts";

/** How far playback is, and how long the video. */
export function Clock() {
  const time = usePlayback((state) => Math.floor(state.time));
  const duration = usePlayback((state) => state.duration);
  return (
    <span className="player-clock">
      {formatPlayTime(time)}
      <span> / {formatPlayTime(duration)}</span>
    </span>
  );
}
