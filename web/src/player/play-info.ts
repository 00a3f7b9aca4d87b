import { call } from "@/shared/api/client.ts";
import { pictureFromWire, videoFromWire } from "@/shared/api/mapping.ts";
import type { Picture, Video } from "@/shared/api/model.ts";
import type { WirePicture, WireVideo } from "@/shared/api/wire.ts";
import type { PlaySource } from "./sources.ts";

/** An artist beside a video. */
export interface Artist {
  readonly id: number;
  readonly name: string;
  readonly image: Picture;
  readonly videoCount: number;
}

/** All that the player page shows (decisions §4). A locked video has no sources. */
export interface PlayInfo extends Video {
  readonly poster: Picture;
  readonly sources: readonly PlaySource[];
  readonly artists: readonly Artist[];
}

interface WirePlayInfo extends WireVideo {
  is_lock: boolean;
  poster: WirePicture;
  sources: PlaySource[];
  artists: { id: number; name: string; image: WirePicture; video_count: number }[];
}

/** How long an answer fetched ahead may be used, in milliseconds. */
const AHEAD_MS = 30_000;

interface Ahead {
  answer: Promise<PlayInfo>;
  askedAt: number;
}

const ahead = new Map<number, Ahead>();

/**
 * Asks for a video's play information (specification §7, `GET /api/videoplay/{id}?uuid=1`), or takes the answer that
 * {@link fetchPlayInfoAhead} asked for.
 *
 * @throws ApiError as every call does.
 */
export function fetchPlayInfo(id: number): Promise<PlayInfo> {
  const early = ahead.get(id);
  ahead.delete(id);
  return early && performance.now() - early.askedAt < AHEAD_MS ? early.answer : ask(id);
}

/** Asks before the page needs it; a failure is left to the page, which asks again. */
export function fetchPlayInfoAhead(id: number): void {
  const early = ahead.get(id);
  if (early && performance.now() - early.askedAt < AHEAD_MS) return;
  const answer = ask(id);
  ahead.clear();
  ahead.set(id, { answer, askedAt: performance.now() });
  answer.catch(() => ahead.delete(id));
}

async function ask(id: number): Promise<PlayInfo> {
  return playInfoFromWire((await call("GET", `/api/videoplay/${id}`, { params: { uuid: 1 } })) as WirePlayInfo);
}

function playInfoFromWire(wire: WirePlayInfo): PlayInfo {
  return {
    ...videoFromWire(wire),
    isLocked: wire.is_lock,
    poster: pictureFromWire(wire.poster),
    sources: wire.sources,
    artists: wire.artists.map(({ id, name, image, video_count }) => ({
      id,
      name,
      image: pictureFromWire(image),
      videoCount: video_count,
    })),
  };
}
