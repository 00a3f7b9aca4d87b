/** The address of a master playlist's first variant, absolute; null when there is none. */
export function firstVariant(master: string, base: string): string | null {
  const lines = linesOf(master);
  const info = lines.findIndex((line) => line.startsWith("#EXT-X-STREAM-INF:"));
  const address = lines.slice(info + 1).find((line) => !line.startsWith("#"));
  return info < 0 || !address ? null : new URL(address, base).href;
}

/**
 * What a player needs first of a media playlist: the initialisation section, if any, and the first
 * segment.
 */
export function openingFiles(playlist: string, base: string): string[] {
  const lines = linesOf(playlist);
  const map = lines.map((line) => /^#EXT-X-MAP:.*?URI="([^"]+)"/.exec(line)?.[1]).find(Boolean);
  const segment = lines.find((line) => !line.startsWith("#"));
  return [map, segment].flatMap((address) => (address ? [new URL(address, base).href] : []));
}

function linesOf(playlist: string): string[] {
  return playlist
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
}
