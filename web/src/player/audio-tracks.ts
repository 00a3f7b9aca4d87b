/** One of several audio tracks. `lang` is a BCP 47 tag that no other track of the video has. */
export interface AudioTrack {
  readonly lang: string;
  readonly label: string;
  /** It plays where nobody has chosen. */
  readonly isDefault: boolean;
}

/** The tag of a track whose language nobody knows; playlists leave it out. */
const UNKNOWN = "und";
/** A commentary or a description: never in place of the film's own sound. */
const SIDE = /-x-[cd]/;

/** A playlist's or an element's track by its tag. */
export function tagOf({ lang }: { readonly lang?: string | undefined }): string {
  return lang || UNKNOWN;
}

/**
 * The place of the track with a chosen tag, otherwise of one in the same language; -1 where there
 * is none, or nothing was chosen.
 */
export function chosenAudio(
  tracks: readonly { readonly lang?: string | undefined }[],
  wanted: string,
): number {
  const [main] = wanted.split("-x-");
  const exact = tracks.findIndex((track) => tagOf(track) === wanted);
  if (exact >= 0 || SIDE.test(wanted) || main === UNKNOWN) return exact;
  return tracks.findIndex((track) => tagOf(track) === main);
}
