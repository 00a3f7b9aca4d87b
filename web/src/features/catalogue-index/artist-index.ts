import type { Artist } from "@/shared/api/discovery-calls.ts";

/** Artists under one letter. */
export interface ArtistGroup {
  readonly initial: string;
  readonly artists: readonly Artist[];
}

const OTHERS = "#";

/** Artists by their initial, A to Z, then the others; inside a letter the order stays. */
export function groupArtists(artists: readonly Artist[]): readonly ArtistGroup[] {
  const groups = new Map<string, Artist[]>();
  for (const artist of artists) {
    const initial = /^[A-Z]$/.test(artist.initial) ? artist.initial : OTHERS;
    groups.set(initial, [...(groups.get(initial) ?? []), artist]);
  }
  const place = (initial: string) => (initial === OTHERS ? "~" : initial);
  return [...groups]
    .map(([initial, members]) => ({ initial, artists: members }))
    .sort((a, b) => (place(a.initial) < place(b.initial) ? -1 : 1));
}
