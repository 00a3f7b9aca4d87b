import type { Artist } from "@/shared/api/discovery-calls.ts";
import { clamp } from "@/shared/clamp.ts";

/** Artists under one letter. */
export interface ArtistGroup {
  readonly initial: string;
  readonly artists: readonly Artist[];
}

const OTHERS = "#";

/**
 * Artists whose name holds a text, or whose initial is that letter; all of them for an empty one.
 */
export function findArtists(artists: readonly Artist[], text: string): readonly Artist[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return artists;
  return artists.filter(
    ({ name, initial }) => name.toLowerCase().includes(wanted) || initial.toLowerCase() === wanted,
  );
}

/** Artists by their initial, A to Z, then the others; inside a letter the order stays. */
export function groupArtists(artists: readonly Artist[]): readonly ArtistGroup[] {
  const groups = new Map<string, Artist[]>();
  for (const artist of artists) {
    const initial = /^[A-Z]$/.test(artist.initial) ? artist.initial : OTHERS;
    const members = groups.get(initial);
    if (members) members.push(artist);
    else groups.set(initial, [artist]);
  }
  const place = (initial: string) => (initial === OTHERS ? "~" : initial);
  return [...groups]
    .map(([initial, members]) => ({ initial, artists: members }))
    .sort((a, b) => (place(a.initial) < place(b.initial) ? -1 : 1));
}

/**
 * The place of the letter under a finger, from 0. A finger above or below the column holds the first
 * or the last.
 *
 * @param y - The finger below the upper edge of the column, CSS pixels.
 */
export function letterPlace(y: number, height: number, count: number): number {
  return clamp(Math.floor((y / height) * count), 0, count - 1);
}
