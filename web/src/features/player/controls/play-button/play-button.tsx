import "./play-button.css";
import { IconPlayerPauseFilled, IconPlayerPlayFilled, IconReload } from "@tabler/icons-react";
import { usePlayback, usePlayerParts } from "../../player-parts.ts";

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
