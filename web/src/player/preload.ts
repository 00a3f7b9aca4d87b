import type { Video } from "@/shared/api/model.ts";
import { onPlayIntent } from "@/shared/intent.ts";
import { currentLocation } from "@/shared/navigation/history.ts";
import { raiseCurtains } from "./curtain.ts";
import { loadHls } from "./hls-engine.ts";
import { watchLikelyPlays } from "./likely-plays.ts";
import { mediaAddress } from "./media-address.ts";
import { fetchOpening, stopOtherOpenings } from "./openings.ts";
import { fetchPlayInfoAhead } from "./play-info.ts";
import type { PlayOrder } from "./playback-state.ts";
import { playerPreferences, storedPosition } from "./preferences.ts";
import { prepareSession } from "./session-slot.ts";
import { chooseEngine, detectAbilities, type PlaySource } from "./sources.ts";

/** What a tile knows of its video. The more it knows, the more the player page shows at once. */
export type TileVideo = Pick<Video, "id" | "videoPath"> & Partial<Video>;

let hint: TileVideo | null = null;

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
  const master = mediaAddress(video.videoPath);
  stopOtherOpenings(master);
  if (!prepareSession(orderFromTile(video))) fetchOpening(master, "high").catch(logOnly);
}

/** What a video's page waits for besides its video. */
export interface PlayGate {
  /** Asks for it before a video is opened, unless it is known. */
  readonly prepare: () => void;
  /** Whether it is known, and nothing stands between a tap and the video. */
  readonly isOpen: () => boolean;
}

/**
 * Call when the page is idle: loads the HLS library if this browser will need it, then what lies in
 * front of the visitor.
 */
export function preloadPlayer(gate: PlayGate): void {
  // From now on within the touch itself.
  onPlayIntent(preloadPlay);
  raiseCurtains(gate.isOpen);
  if (saveData() || chooseEngine([masterSource("/")], detectAbilities()) !== "hls") return;
  // The page of a video loads what that video needs; a light player beside the full one would be
  // loaded in vain.
  const isWatching = currentLocation().pathname.startsWith("/playVideo");
  const ready = isWatching ? Promise.resolve() : loadHls();
  ready.then(() => watchLikelyPlays(gate.prepare), logOnly);
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

/** A failed preload costs nothing: the player tries again and shows its own failure. */
function logOnly(error: unknown): void {
  if (!(error instanceof DOMException && error.name === "AbortError"))
    console.info("预加载失败", error);
}

function saveData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
