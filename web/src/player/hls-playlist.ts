/** The address of a master playlist's first variant, absolute; null when there is none. */
export function firstVariant(master: string, base: string): string | null {
  const lines = linesOf(master);
  const info = lines.findIndex((line) => line.startsWith("#EXT-X-STREAM-INF:"));
  const address = lines.slice(info + 1).find((line) => !line.startsWith("#"));
  return info < 0 || !address ? null : new URL(address, base).href;
}

/** A file, or a range of its bytes. */
export interface Part {
  readonly url: string;
  /** Up to but not including `end`; undefined for the whole file. */
  readonly range?: { readonly start: number; readonly end: number } | undefined;
}

/**
 * What a player needs first of a media playlist: the initialisation section, if any, and the first
 * segment.
 */
export function openingParts(playlist: string, base: string): Part[] {
  const lines = linesOf(playlist);
  const map = lines.find((line) => line.startsWith("#EXT-X-MAP:")) ?? "";
  const first = lines.findIndex((line) => !line.startsWith("#"));
  const asked = lines.slice(0, Math.max(first, 0)).find((line) => line.startsWith(RANGE_TAG));
  return [
    partOf(/URI="([^"]+)"/.exec(map)?.[1], /BYTERANGE="([^"]+)"/.exec(map)?.[1], base),
    partOf(lines[first], asked?.slice(RANGE_TAG.length), base),
  ].flatMap((part) => part ?? []);
}

const RANGE_TAG = "#EXT-X-BYTERANGE:";

/** Without an offset a range begins the file; the first one of a playlist follows no other. */
function partOf(address: string | undefined, asked: string | undefined, base: string): Part | null {
  if (!address) return null;
  const url = new URL(address, base).href;
  if (!asked) return { url };
  const [size = 0, start = 0] = asked.split("@").map(Number);
  return { url, range: { start, end: start + size } };
}

function linesOf(playlist: string): string[] {
  return playlist
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
}
