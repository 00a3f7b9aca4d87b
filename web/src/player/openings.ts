import { firstVariant, openingParts, type Part } from "./hls-playlist.ts";

/** A file, or a range of one, that has come before anybody asked for it. */
export interface EarlyFile {
  readonly data: string | ArrayBuffer;
  readonly bytes: number;
  /** How long its first byte and the whole took, milliseconds: what the network really does. */
  readonly firstMs: number;
  readonly wholeMs: number;
}

/** A video's two playlists, its initialization section and its first segment, by `nameOf`. */
type Opening = Map<string, EarlyFile>;

/** Videos whose opening is in memory; of a second of 360p each, about 100 kB. */
const MOST_KEPT = 8;

const openings = new Map<
  string,
  { readonly whole: Promise<Opening>; readonly stop: AbortController }
>();
const files: Opening = new Map();

/**
 * Fetches what a player asks for before its first picture, once: from then on it is in memory.
 *
 * @param master - the address of the master playlist.
 * @param priority - against everything else that the page is loading.
 * @throws TypeError or Error where the network does not give it.
 */
export async function fetchOpening(master: string, priority: RequestPriority): Promise<void> {
  const url = new URL(master, location.href).href;
  let opening = openings.get(url);
  if (!opening) {
    const stop = new AbortController();
    opening = { whole: fetchFiles(url, priority, stop.signal), stop };
    openings.set(url, opening);
    opening.whole.catch(() => openings.delete(url));
    forgetOldest();
  }
  await opening.whole;
}

/** Stops what is on its way for other videos: this one has been chosen. */
export function stopOtherOpenings(master: string): void {
  const url = new URL(master, location.href).href;
  for (const [other, { stop }] of openings) if (other !== url) stop.abort();
}

/**
 * A file or a range of one, if it is in memory. It is given once: a player writes into what it was
 * given, and the browser's own cache has the file as well.
 */
export function takeEarlyFile({ url, range }: Part): EarlyFile | undefined {
  const name = nameOf({ url: new URL(url, location.href).href, range });
  const file = files.get(name);
  files.delete(name);
  return file;
}

function nameOf({ url, range }: Part): string {
  return range ? `${url}#${range.start}-${range.end}` : url;
}

async function fetchFiles(
  master: string,
  priority: RequestPriority,
  signal: AbortSignal,
): Promise<Opening> {
  const opening: Opening = new Map();
  const keep = (part: Part, file: EarlyFile) => {
    opening.set(nameOf(part), file);
    files.set(nameOf(part), file);
    return file.data;
  };
  const fetchText = async (url: string) =>
    String(keep({ url }, await fetchFile({ url }, true, { priority, signal })));
  const variant = firstVariant(await fetchText(master), master);
  if (!variant) return opening;
  const parts = openingParts(await fetchText(variant), variant);
  const whole = neighbours(parts);
  if (whole) {
    const file = await fetchFile(whole, false, { priority, signal });
    for (const part of parts) keep(part, sliceOf(file, part, whole));
  } else {
    await Promise.all(
      parts.map(async (part) => keep(part, await fetchFile(part, false, { priority, signal }))),
    );
  }
  return opening;
}

/**
 * Two parts that lie one behind the other in one file, as one: they come with one request, and a
 * browser answers several for one file after each other.
 */
function neighbours([first, second]: readonly Part[]): Part | null {
  if (first?.url !== second?.url || !first?.range || !second?.range) return null;
  if (first.range.end !== second.range.start) return null;
  return { url: first.url, range: { start: first.range.start, end: second.range.end } };
}

function sliceOf(file: EarlyFile, { range }: Part, { range: whole }: Part): EarlyFile {
  const from = whole?.start ?? 0;
  const data = (file.data as ArrayBuffer).slice(
    (range?.start ?? 0) - from,
    (range?.end ?? 0) - from,
  );
  return { ...file, data, bytes: data.byteLength };
}

async function fetchFile(
  { url, range }: Part,
  isText: boolean,
  options: RequestInit,
): Promise<EarlyFile> {
  const start = performance.now();
  const asked = range && { headers: { Range: `bytes=${range.start}-${range.end - 1}` } };
  const answer = await fetch(url, { ...options, ...asked });
  const firstMs = performance.now() - start;
  // Whoever ignores a range answers with a whole film.
  if (!answer.ok || (range && answer.status !== 206)) throw new Error(`${answer.status} ${url}`);
  const data = await (isText ? answer.text() : answer.arrayBuffer());
  const bytes = typeof data === "string" ? data.length : data.byteLength;
  if (range && bytes !== range.end - range.start) throw new Error(`${bytes} bytes of ${url}`);
  return { data, bytes, firstMs, wholeMs: performance.now() - start };
}

function forgetOldest(): void {
  const [oldest] = openings;
  if (openings.size <= MOST_KEPT || !oldest) return;
  const [url, { whole, stop }] = oldest;
  openings.delete(url);
  stop.abort();
  void forget(whole);
}

async function forget(whole: Promise<Opening>): Promise<void> {
  for (const name of (await whole.catch(() => new Map())).keys()) files.delete(name);
}
