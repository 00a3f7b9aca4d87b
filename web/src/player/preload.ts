import type { Video } from "@/shared/api/model.ts";
import { loadHls } from "./hls-engine.ts";
import { firstVariant, openingFiles } from "./hls-playlist.ts";
import { mediaAddress } from "./media-address.ts";
import { fetchPlayInfoAhead } from "./play-info.ts";
import type { PlayOrder } from "./playback-state.ts";
import { playerPreferences, storedPosition } from "./preferences.ts";
import { prepareSession } from "./session-slot.ts";
import { chooseEngine, detectAbilities, type PlaySource } from "./sources.ts";

/** What a tile knows of its video. The more it knows, the more the player page shows at once. */
export type TileVideo = Pick<Video, "id" | "videoPath"> & Partial<Video>;

let hint: TileVideo | null = null;
let warming: AbortController | null = null;

/**
 * Call when a finger touches a tile: everything that the tap will need is requested now. The video
 * is opened on the hidden stage; while another one plays, only its first files are fetched into the
 * HTTP cache.
 */
export function preloadPlay(video: TileVideo): void {
  hint = video;
  if (saveData()) return;
  void fetchPlayInfoAhead(video.id);
  if (!video.videoPath) return;
  if (!prepareSession(orderFromTile(video))) warmCache(mediaAddress(video.videoPath));
}

/** Call when the page is idle: loads the HLS library if this browser will need it. */
export function preloadPlayer(): void {
  if (!saveData() && chooseEngine([masterSource("/")], detectAbilities()) === "hls")
    loadHls().catch(logOnly);
}

/** What the tile that led to a video's page knew; null after a reload or for another video. */
export function tileHint(id: number): TileVideo | null {
  return hint?.id === id ? hint : null;
}

/** How to play a video of which only the list item is known. */
export function orderFromTile(video: TileVideo): PlayOrder {
  const duration = video.duration ?? 0;
  return {
    id: video.id,
    sources: [masterSource(mediaAddress(video.videoPath))],
    startAt: storedPosition(video.id, duration),
    duration,
    ...playerPreferences(),
  };
}

function masterSource(url: string): PlaySource {
  return { type: "application/vnd.apple.mpegurl", url, label: "自动", height: 0, bandwidth: 0 };
}

function warmCache(master: string): void {
  warming?.abort();
  warming = new AbortController();
  fetchOpening(master, warming.signal).catch(logOnly);
}

/**
 * Fetches a video's playlists and first files, so that the player finds them in the HTTP cache
 * (media are immutable).
 */
async function fetchOpening(master: string, signal: AbortSignal): Promise<void> {
  const masterUrl = new URL(master, location.href).href;
  const variant = firstVariant(await fetchText(masterUrl, signal), masterUrl);
  if (!variant) return;
  const files = openingFiles(await fetchText(variant, signal), variant);
  await Promise.all(files.map(async (file) => (await fetch(file, { signal })).arrayBuffer()));
}

async function fetchText(url: string, signal: AbortSignal): Promise<string> {
  const answer = await fetch(url, { signal });
  if (!answer.ok) throw new Error(`${answer.status} ${url}`);
  return answer.text();
}

/** A failed preload costs nothing: the player tries again and shows its own failure. */
function logOnly(error: unknown): void {
  if (!(error instanceof DOMException && error.name === "AbortError"))
    console.info("预加载失败", error);
}

function saveData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
