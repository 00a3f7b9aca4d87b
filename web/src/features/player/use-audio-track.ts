import type { AudioTrack } from "@/player/audio-tracks.ts";
import { usePlayback } from "./player-parts.ts";

/** The track that plays; until that is known, the film's default. */
export function useAudioTrack(tracks: readonly AudioTrack[]): AudioTrack | undefined {
  const lang = usePlayback((state) => state.audio);
  return tracks.find((track) => track.lang === lang) ?? tracks.find((track) => track.isDefault);
}
