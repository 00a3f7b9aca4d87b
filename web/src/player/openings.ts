import { firstVariant, openingFiles } from "./hls-playlist.ts";

/** A file that has come before anybody asked for it. */
export interface EarlyFile {
  readonly data: string | ArrayBuffer;
  readonly bytes: number;
  /** How long its first byte and the whole took, milliseconds: what the network really does. */
  readonly firstMs: number;
  readonly wholeMs: number;
}

/** A video's two playlists, its initialization section and its first segment, by address. */
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
 * The file of an address, if it is in memory. It is given once: a player writes into what it was
 * given, and the browser's own cache has the file as well.
 */
export function takeEarlyFile(url: string): EarlyFile | undefined {
  const address = new URL(url, location.href).href;
  const file = files.get(address);
  files.delete(address);
  return file;
}

async function fetchFiles(
  master: string,
  priority: RequestPriority,
  signal: AbortSignal,
): Promise<Opening> {
  const opening: Opening = new Map();
  const fetchOne = async (url: string, isText: boolean) => {
    const file = await fetchFile(url, isText, { priority, signal });
    opening.set(url, file);
    files.set(url, file);
    return file.data;
  };
  const variant = firstVariant(String(await fetchOne(master, true)), master);
  if (!variant) return opening;
  const first = openingFiles(String(await fetchOne(variant, true)), variant);
  await Promise.all(first.map((url) => fetchOne(url, false)));
  return opening;
}

async function fetchFile(url: string, isText: boolean, options: RequestInit): Promise<EarlyFile> {
  const start = performance.now();
  const answer = await fetch(url, options);
  const firstMs = performance.now() - start;
  if (!answer.ok) throw new Error(`${answer.status} ${url}`);
  const data = await (isText ? answer.text() : answer.arrayBuffer());
  const bytes = typeof data === "string" ? data.length : data.byteLength;
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
  for (const address of (await whole.catch(() => new Map())).keys()) files.delete(address);
}
