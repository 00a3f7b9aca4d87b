import "./seek-hint.css";
import { useEffect, useState } from "react";
import { read, write } from "@/shared/storage/registry.ts";
import { SEEK_HINT_SHOWN } from "@/shared/storage/screen-entries.ts";
import { usePlayback } from "./player-parts.ts";

/** How long the hint stays, in ms (specification §4). */
const HINT_MS = 5000;

/** Shows how to seek, once, at the very first playback. */
export function SeekHint() {
  const started = usePlayback((state) => state.started);
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!started || read(SEEK_HINT_SHOWN)) return;
    write(SEEK_HINT_SHOWN, true);
    setShown(true);
  }, [started]);
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(() => setShown(false), HINT_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  if (!shown) return null;
  return (
    <p className="player-pill is-bottom" role="status">
      {matchMedia("(hover: hover)").matches
        ? "按 ← → 键快退或快进 10 秒"
        : "双击画面左右两侧，快退或快进 10 秒"}
    </p>
  );
}
