import "../button/player-button.css";
import "./settings-buttons.css";
import type { AudioTrack } from "@/player/audio-tracks.ts";
import { usePlayback } from "../../player-parts.ts";
import { useAudioTrack } from "../../use-audio-track.ts";

interface SettingsButtonsProps {
  readonly audioTracks: readonly AudioTrack[];
  readonly onSettings: () => void;
}

/** The rate, the audio track of several, and the quality as they are; all open the settings. */
export function SettingsButtons({ audioTracks, onSettings }: SettingsButtonsProps) {
  const rate = usePlayback((state) => state.rate);
  const height = usePlayback((state) => state.height);
  const quality = usePlayback((state) => state.quality);
  const track = useAudioTrack(audioTracks);
  const shown = height > 0 ? `${height}P` : quality === "auto" ? "自动" : `${quality}P`;
  // What is read aloud holds what is seen: whoever steers by voice says what stands there.
  return (
    <>
      <button
        type="button"
        className="player-text"
        aria-label={`倍速，当前 ${rate}x`}
        onClick={onSettings}
      >
        {rate}x
      </button>
      {audioTracks.length > 1 && track && (
        <button
          type="button"
          className="player-text player-audio"
          aria-label={`音轨，当前${track.label}`}
          onClick={onSettings}
        >
          <span>{track.label}</span>
        </button>
      )}
      <button
        type="button"
        className="player-text"
        aria-label={`清晰度，当前 ${shown}`}
        onClick={onSettings}
      >
        {shown}
      </button>
    </>
  );
}
