import { ElementEngine } from "@/player/element-engine.ts";
import type { Engine } from "@/player/engine.ts";
import { HlsEngine } from "@/player/hls-engine.ts";
import { addressFor, chooseEngine, detectAbilities, type PlaySource } from "@/player/sources.ts";

/**
 * Bring a short to its element: as a plain file where there is one, which starts soonest, otherwise by HLS.
 *
 * @param onFailure - Called when it cannot be played.
 * @returns Null when this browser can play none of the sources.
 */
export function openShort(
  video: HTMLVideoElement,
  sources: readonly PlaySource[],
  onFailure: () => void,
): Engine | null {
  const events = { onAttached: () => {}, onHeight: () => {}, onFailure };
  const file = addressFor("file", sources, "auto");
  if (file) return new ElementEngine(video, () => file, 0, "auto", events);
  const kind = chooseEngine(sources, detectAbilities());
  const address = kind && addressFor(kind, sources, "auto");
  if (!address) return null;
  return kind === "hls"
    ? new HlsEngine(video, address, 0, "auto", events)
    : new ElementEngine(video, () => address, 0, "auto", events);
}
