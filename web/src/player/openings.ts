import { firstVariant, openingParts, type Part } from "./hls-playlist.ts";

/** A file, or a range of one, that has come before anybody asked for it. */
export interface EarlyFile {
  readonly data: string | ArrayBuffer;
  readonly bytes: number;
  /** How long its first byte and the whole took, milliseconds: what the network really does. */
  readonly firstMs: number;
  readonly wholeMs: number;
}

/** What is in memory of a video, by `nameOf`: playlists, initialization section, first segment. */
type Opening = string[];

/** Videos whose opening is in memory; of a second of 360p each, about 100 kB. */
const MOST_KEPT = 8;

const openings = new Map<
  string,
  { readonly whole: Promise<Opening>; readonly stop: AbortController }
>();
/** What has come, and what is under way. */
const files = new Map<string, Promise<EarlyFile | undefined>>();

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
 * A file or a range of one, if it is in memory or under way: a second request for it would wait for
 * the first in the browser, and then go to the server all the same. It is given once: a player writes
 * into what it was given, and the browser's own cache has the file as well. Nothing comes where the
 * network does not give it.
 */
export function takeEarlyFile({
  url,
  start,
  end,
}: Part): Promise<EarlyFile | undefined> | undefined {
  // The library asks for the master playlist as it was given it.
  const name = nameOf({ url: new URL(url, location.href).href, start, end });
  const file = files.get(name);
  files.delete(name);
  return file;
}

function nameOf({ url, start, end }: Part): string {
  return `${url}#${start}-${end}`;
}

async function fetchFiles(
  master: string,
  priority: RequestPriority,
  signal: AbortSignal,
): Promise<Opening> {
  const opening: Opening = [];
  /** Keeps the parts of a file, or of a range of it. */
  const get = async (whole: Part, parts = [whole]) => {
    const file = fetchFile(whole, { priority, signal });
    for (const part of parts) {
      opening.push(nameOf(part));
      const come = file.then(
        (all) => within(all, part, whole),
        () => undefined,
      );
      files.set(nameOf(part), come);
    }
    return String((await file).data);
  };
  const variant = firstVariant(await get({ url: master, start: 0, end: 0 }), master);
  if (!variant) return opening;
  const parts = openingParts(await get({ url: variant, start: 0, end: 0 }), variant);
  const [first, second] = parts;
  // Two parts that lie one behind the other in one file come with one request: a browser answers
  // several for one file after each other.
  if (first?.end && first.url === second?.url) await get({ ...first, end: second.end }, parts);
  else await Promise.all(parts.map((part) => get(part)));
  return opening;
}

function within(file: EarlyFile, { start, end }: Part, whole: Part): EarlyFile {
  if (!end) return file;
  const data = (file.data as ArrayBuffer).slice(start - whole.start, end - whole.start);
  return { ...file, data, bytes: end - start };
}

/** A server's answer that is not the file, or not all of it. */
export class AnswerError extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(text);
    this.status = status;
  }
}

/**
 * Fetches a file, or a range of it.
 *
 * @throws AnswerError where the answer is another one, or short; TypeError where there is none.
 */
export async function fetchFile(
  { url, start, end }: Part,
  options: RequestInit,
): Promise<EarlyFile> {
  const asked = performance.now();
  const headers: HeadersInit = end ? { Range: `bytes=${start}-${end - 1}` } : {};
  const answer = await fetch(url, { ...options, headers });
  const firstMs = performance.now() - asked;
  // Whoever ignores a range answers with a whole film.
  if (answer.status !== (end ? 206 : 200))
    throw new AnswerError(answer.status, `${answer.status} ${url}`);
  const data = await (url.endsWith(".m3u8") ? answer.text() : answer.arrayBuffer());
  const bytes = typeof data === "string" ? data.length : data.byteLength;
  if (end && bytes < end - start)
    throw new AnswerError(answer.status, `${bytes} of ${end - start} bytes: ${url}`);
  return { data, bytes, firstMs, wholeMs: performance.now() - asked };
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
  for (const name of await whole.catch((): Opening => [])) files.delete(name);
}
