import { ageAnswer } from "@/shared/api/age.ts";
import { get } from "@/shared/api/get.ts";
import { pictureFromWire, videoFromWire } from "@/shared/api/mapping.ts";
import type { Picture, Video } from "@/shared/api/model.ts";
import { asVisitor } from "@/shared/api/send.ts";
import type { GetAnswer } from "@/shared/api/wire.ts";
import type { AudioTrack } from "./audio-tracks.ts";
import { mediaAddress } from "./media-address.ts";
import type { PlaySource } from "./sources.ts";
import type { SubtitleTrack } from "./subtitles.ts";

/** An artist beside a video. */
export interface Artist {
  readonly id: number;
  readonly name: string;
  readonly image: Picture;
  readonly videoCount: number;
}

/** A part of a video, from `start` seconds on. */
export interface Chapter {
  readonly start: number;
  readonly title: string;
}

/** Everything on the player page (docs/product.md#playback). A locked video has no sources. */
export interface PlayInfo extends Video {
  readonly poster: Picture;
  readonly sources: readonly PlaySource[];
  /** Empty where there is nothing to choose from. */
  readonly audioTracks: readonly AudioTrack[];
  readonly subtitles: readonly SubtitleTrack[];
  /** Address of the storyboard's WebVTT; null where there is none. */
  readonly storyboard: string | null;
  readonly artists: readonly Artist[];
  /** Lines; empty where nothing is said. */
  readonly description: string;
  /** When its source says that it was shown first, in milliseconds; null where it says nothing. */
  readonly premieredAt: number | null;
  readonly chapters: readonly Chapter[];
}

/** How an unlocked video plays: signed addresses that expire at `expiresAt` (milliseconds). */
export interface UnlockedPlay extends Ways {
  readonly expiresAt: number;
}

type WirePlayInfo = GetAnswer<"/api/videoplay/{video_id}">;

/** How long a prefetched answer may be used, in milliseconds. */
const AHEAD_MS = 30_000;

interface Ahead {
  answer: Promise<PlayInfo>;
  askedAt: number;
}

const ahead = new Map<number, Ahead>();

/**
 * Asks for a video's play information (specification §7, `GET /api/videoplay/{id}?uuid=1`), or
 * takes the answer that {@link fetchPlayInfoAhead} asked for.
 *
 * @throws ApiError as every call does.
 */
export function fetchPlayInfo(id: number): Promise<PlayInfo> {
  const early = ahead.get(id);
  ahead.delete(id);
  return early && performance.now() - early.askedAt < AHEAD_MS ? early.answer : ask(id);
}

/** Fetches before the page needs it; after a failure the page fetches again. */
export function fetchPlayInfoAhead(id: number): Promise<PlayInfo> {
  const early = ahead.get(id);
  if (early && performance.now() - early.askedAt < AHEAD_MS) return early.answer;
  const answer = ask(id);
  ahead.clear();
  ahead.set(id, { answer, askedAt: performance.now() });
  answer.catch(() => ahead.delete(id));
  return answer;
}

async function ask(id: number): Promise<PlayInfo> {
  return playInfoFromWire(
    await get("/api/videoplay/{video_id}", { path: { video_id: id }, query: { uuid: "1" } }),
  );
}

/**
 * How a video plays that the visitor has unlocked.
 *
 * @throws ApiError with code 403 while it is locked.
 */
export async function fetchUnlockedPlay(id: number, signal?: AbortSignal): Promise<UnlockedPlay> {
  const wire = await get("/api/share/play", { query: { id } }, signal, {
    ...asVisitor(),
    ...ageAnswer(),
  });
  return { ...waysFromWire(wire), expiresAt: Date.parse(wire.expires_at) };
}

type Ways = Pick<PlayInfo, "sources" | "audioTracks" | "subtitles" | "storyboard">;

function waysFromWire(
  wire: Pick<WirePlayInfo, "sources" | "audio_tracks" | "subtitles" | "storyboard">,
): Ways {
  return {
    audioTracks: wire.audio_tracks.map(({ lang, label, is_default }) => ({
      lang,
      label,
      isDefault: is_default,
    })),
    sources: wire.sources.map((source) => ({ ...source, url: mediaAddress(source.url) })),
    subtitles: wire.subtitles.map((track) => ({ ...track, url: mediaAddress(track.url) })),
    storyboard: wire.storyboard ? mediaAddress(wire.storyboard) : null,
  };
}

function playInfoFromWire(wire: WirePlayInfo): PlayInfo {
  return {
    ...videoFromWire(wire),
    isLocked: wire.is_lock,
    poster: pictureFromWire(wire.poster),
    ...waysFromWire(wire),
    description: wire.description,
    premieredAt: wire.premiered_at ? Date.parse(wire.premiered_at) : null,
    chapters: wire.chapters,
    artists: wire.artists.map(({ id, name, image, video_count }) => ({
      id,
      name,
      image: pictureFromWire(image),
      videoCount: video_count,
    })),
  };
}
