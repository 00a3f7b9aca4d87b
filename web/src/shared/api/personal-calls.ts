import { get } from "./get.ts";
import { pageFromWire, videoFromWire } from "./mapping.ts";
import type { Page, Video } from "./model.ts";
import { asVisitor, send, sendForMessage } from "./send.ts";
import type { SendBody } from "./wire.ts";

/** Calls about what belongs to the visitor (specification §7). All reject with `ApiError`. */

/** Marks the favourites as this site's (specification §6). */
const SITE = "sg";

/** Device class of feedback from this site (specification §5). */
const DEVICE = 2;

/** Most videos in one question. */
export const MAX_IDS = 100;

/** Visitors on a page of those who have favourites. */
const USERS_PER_PAGE = 20;

export interface Favourite {
  /** The video's. */
  readonly id: number;
  readonly video: Video;
  /** Milliseconds since 1970. */
  readonly favouritedAt: number;
}

/** Another visitor who has favourites. */
export interface FavouriteUser {
  /** Identifies the visitor in calls; it is nobody's data code. */
  readonly id: string;
  /** The public name. */
  readonly alias: string;
  readonly total: number;
}

/** The visitor's favourites, the newest first. */
export async function listFavourites(page: number, signal?: AbortSignal): Promise<Page<Favourite>> {
  const wire = await get("/api/favorites", { query: { site: SITE, page } }, signal, asVisitor());
  return {
    items: wire.data.map(({ id, video, created_at }) => ({
      id,
      video: videoFromWire(video),
      favouritedAt: Date.parse(created_at),
    })),
    hasNext: Boolean(wire.next_page_url),
    total: wire.total,
    perPage: wire.per_page,
  };
}

/** Add a favourite; an existing one stays as it was. */
export async function addFavourite(video: Pick<Video, "id"> & Partial<Video>): Promise<void> {
  await send("post", "/api/favorites", {
    id: video.id,
    imgUrl: video.cover?.url ?? null,
    imgType: null,
    title: video.title ?? null,
    path: video.videoPath ?? null,
    created_at: null,
    uuid: null,
    site: SITE,
  });
}

export async function removeFavourite(id: number): Promise<void> {
  await send("delete", "/api/favorites", { id, uuid: null, site: SITE });
}

/** Which of at most {@link MAX_IDS} videos are the visitor's favourites. */
export async function findFavourites(
  ids: readonly number[],
  signal?: AbortSignal,
): Promise<readonly number[]> {
  return (await send("post", "/api/favorites/ids", { id: ids, uuid: null, site: SITE }, signal))
    .ids;
}

export async function countFavourites(signal?: AbortSignal): Promise<number> {
  return (await get("/api/favorites/total", { query: { site: SITE } }, signal, asVisitor())).total;
}

/** Other visitors with favourites, most recently active first. Their total is not known. */
export async function listFavouriteUsers(
  page: number,
  signal?: AbortSignal,
): Promise<Page<FavouriteUser>> {
  const wire = await get(
    "/api/favorites/user",
    { query: { site: SITE, page } },
    signal,
    asVisitor(),
  );
  return {
    items: wire.list.map(({ id, uuid, total }) => ({ id, alias: uuid, total })),
    hasNext: Boolean(wire.next_page_url),
    total: 0,
    perPage: USERS_PER_PAGE,
  };
}

export async function listUserVideos(
  userId: string,
  page: number,
  signal?: AbortSignal,
): Promise<Page<Video>> {
  return pageFromWire(
    await get("/api/favorites/userVideos", { query: { id: userId, page } }, signal),
  );
}

/**
 * Use another code from now on. @returns Changes left today.
 */
export async function changeCode(code: string): Promise<number> {
  return (await send("post", "/api/visitor/code", { code })).left;
}

/** The player's diagnostics. */
export type Diagnostics = Readonly<Record<string, string | number | boolean | null>>;

export interface Feedback {
  /** Type of issue: one that the server knows. */
  readonly title: SendBody<"post", "/api/syssuggest">["title"];
  readonly content: string;
  readonly videoId: number | null;
  /** Only with the visitor's consent. */
  readonly diagnostics: Diagnostics | null;
}

/**
 * @returns The server's thanks.
 */
export async function sendFeedback({
  title,
  content,
  videoId,
  diagnostics,
}: Feedback): Promise<string> {
  return await sendForMessage("/api/syssuggest", {
    device: DEVICE,
    title,
    content,
    video_id: videoId ?? "",
    uuid: null,
    diagnostics: diagnostics as Record<string, string | number | boolean | null> | null,
  });
}
