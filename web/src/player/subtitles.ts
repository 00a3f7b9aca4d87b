/** A subtitle track that the server names. `lang` is a BCP 47 tag. */
export interface SubtitleTrack {
  readonly lang: string;
  readonly label: string;
  readonly url: string;
}

/** Lines that a cue stands above the lower edge, so that the hair line of progress stays clear of it. */
const LINE = -2;

/**
 * Shows a track natively, so that the system's full screen and picture-in-picture have it too.
 *
 * The text is fetched here and given to the element as a blob: a media address of another origin needs no attribute on
 * the video then. Only `<track>` elements can be taken away again, and the video element outlives the video.
 *
 * @param signal - takes the track away.
 */
export async function showSubtitles(video: HTMLVideoElement, track: SubtitleTrack, signal: AbortSignal): Promise<void> {
  const answer = await fetch(track.url, { signal });
  if (!answer.ok) throw new Error(`${answer.status} ${track.url}`);
  const blob = new Blob([await answer.text()], { type: "text/vtt" });
  if (signal.aborted) return;
  const address = URL.createObjectURL(blob);
  const element = document.createElement("track");
  Object.assign(element, { kind: "subtitles", srclang: track.lang, label: track.label, src: address });
  element.addEventListener("load", () => {
    for (const cue of element.track.cues ?? []) if (cue instanceof VTTCue && cue.line === "auto") cue.line = LINE;
  });
  video.append(element);
  element.track.mode = "showing";
  signal.addEventListener(
    "abort",
    () => {
      element.track.mode = "disabled";
      element.remove();
      URL.revokeObjectURL(address);
    },
    { once: true },
  );
}

/** The track in the visitor's language; null where he wants none or the video has none. */
export function chosenTrack(tracks: readonly SubtitleTrack[], lang: string): SubtitleTrack | null {
  const main = lang.split("-")[0];
  if (!main) return null;
  return (
    tracks.find((track) => track.lang === lang) ?? tracks.find((track) => track.lang.split("-")[0] === main) ?? null
  );
}
