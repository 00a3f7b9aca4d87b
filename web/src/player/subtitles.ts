/** A subtitle track that the server names. `lang` is a BCP 47 tag. */
export interface SubtitleTrack {
  readonly lang: string;
  readonly label: string;
  readonly url: string;
}

/**
 * The line from the lower edge on which a cue is shown: above the thin progress line, or above the
 * controls.
 */
const LINE = -2;
const RAISED_LINE = -5;

/**
 * Shows a track natively, so that the system's full screen and picture-in-picture have it too.
 *
 * The text is fetched here and passed to the element as a blob, so that a foreign media origin
 * needs no attribute on the video. Only `<track>` elements can be removed again, and the video
 * element outlives the video.
 *
 * @param isRaised - whether the controls show when the text has come.
 * @param signal - takes the track away.
 */
export async function showSubtitles(
  video: HTMLVideoElement,
  track: SubtitleTrack,
  isRaised: () => boolean,
  signal: AbortSignal,
): Promise<void> {
  const answer = await fetch(track.url, { signal });
  if (!answer.ok) throw new Error(`${answer.status} ${track.url}`);
  const blob = new Blob([await answer.text()], { type: "text/vtt" });
  if (signal.aborted) return;
  const address = URL.createObjectURL(blob);
  const element = document.createElement("track");
  Object.assign(element, {
    kind: "subtitles",
    srclang: track.lang,
    label: track.label,
    src: address,
  });
  element.addEventListener("load", () => raiseSubtitles(video, isRaised()));
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

/** Raises the words above the controls, or lowers them. Words placed by the author stay. */
export function raiseSubtitles(video: HTMLVideoElement, isRaised: boolean): void {
  for (const { cues, mode } of video.textTracks) {
    if (mode !== "showing") continue;
    for (const cue of cues ?? [])
      if (cue instanceof VTTCue && isOurs(cue.line)) cue.line = isRaised ? RAISED_LINE : LINE;
  }
}

function isOurs(line: VTTCue["line"]): boolean {
  return line === "auto" || line === LINE || line === RAISED_LINE;
}

/** The track in the visitor's language; null if none is wanted or available. */
export function chosenTrack(tracks: readonly SubtitleTrack[], lang: string): SubtitleTrack | null {
  const main = lang.split("-")[0];
  if (!main) return null;
  return (
    tracks.find((track) => track.lang === lang) ??
    tracks.find((track) => track.lang.split("-")[0] === main) ??
    null
  );
}
