import "../button/player-button.css";
import { usePlayback } from "../../player-parts.ts";

/** The rate and the quality as they are; both open the settings. */
export function SettingsButtons({ onSettings }: { readonly onSettings: () => void }) {
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
