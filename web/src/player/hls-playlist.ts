// As our playlists have them: an address on the line behind what is said of it.
const VARIANT = /^#EXT-X-STREAM-INF:.*\s+([^#\s].*?)\s*$/m;
const MAP = /^#EXT-X-MAP:URI="(?<file>.+?)"(?:,BYTERANGE="(?<range>.+?)")?/m;
const SEGMENT = /(?:^#EXT-X-BYTERANGE:(?<range>\S+)\s+)?^(?<file>[^#\s].*?)\s*$/m;

/** The address of a master playlist's first variant, absolute; null when there is none. */
export function firstVariant(master: string, base: string): string | null {
  const address = VARIANT.exec(master)?.[1];
  return address ? new URL(address, base).href : null;
}

/** A range of a file's bytes. */
export interface Part {
  readonly url: string;
  readonly start: number;
  /** The byte behind it; 0 for the whole file. */
  readonly end: number;
}

/**
 * What a player needs first of a media playlist: the initialisation section, if any, and the first
 * segment.
 */
export function openingParts(playlist: string, base: string): Part[] {
  return [MAP, SEGMENT].flatMap((pattern) => {
    const { file, range = "0" } = pattern.exec(playlist)?.groups ?? {};
    const [size = 0, start = 0] = range.split("@").map(Number);
    return file ? [{ url: new URL(file, base).href, start, end: start + size }] : [];
  });
}
