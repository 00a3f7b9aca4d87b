import { useEffect, useState } from "react";
import { changePreferences, playerPreferences } from "@/player/preferences.ts";
import {
  chosenTrack,
  raiseSubtitles,
  type SubtitleTrack,
  showSubtitles,
} from "@/player/subtitles.ts";
import type { PlayerParts } from "./player-parts.ts";

/** The subtitles of a video: what there is, what shows, and how to choose. */
export interface Subtitles {
  readonly tracks: readonly SubtitleTrack[];
  readonly chosen: SubtitleTrack | null;
  /** Empty for none. The next videos use the same language. */
  readonly choose: (lang: string) => void;
}

/** Shows the track in the language that was chosen last. A failure is only logged. */
export function useSubtitles(
  parts: PlayerParts | null,
  tracks: readonly SubtitleTrack[],
): Subtitles {
  const [lang, setLang] = useState(() => playerPreferences().subtitles);
  const chosen = chosenTrack(tracks, lang);
  useEffect(() => {
    if (!parts || !chosen) return;
    const life = new AbortController();
    const { session, controls } = parts;
    const isRaised = () => controls.store.getState().visible;
    showSubtitles(session.video, chosen, isRaised, life.signal).catch((error: unknown) => {
      if (!life.signal.aborted) console.info("字幕加载失败", error);
    });
    const unsubscribe = controls.store.subscribe(() => raiseSubtitles(session.video, isRaised()));
    return () => {
      unsubscribe();
      life.abort();
    };
  }, [parts, chosen]);
  const choose = (wanted: string) => {
    changePreferences({ subtitles: wanted });
    setLang(wanted);
  };
  return { tracks, chosen, choose };
}
