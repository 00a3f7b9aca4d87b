import type { ShareCount } from "@/shared/storage/entries.ts";
import { get } from "./get.ts";
import { asVisitor, send } from "./send.ts";

/**
 * The calls of share-to-unlock (docs/product.md#sharing), in domain terms. All reject with
 * `ApiError`.
 */

/** A visitor's own link of a locked video. */
export interface ShareLink {
  /** What `/playVideoShare?id=` is opened with. */
  readonly encodedId: string;
  /** Path of this site. */
  readonly path: string;
  readonly count: number;
}

/** The visitor's link of a video, made at the first call. */
export async function makeShareLink(videoId: number): Promise<ShareLink> {
  const wire = await send("post", "/api/share/link", { id: videoId });
  return { encodedId: wire.id, path: wire.url, count: wire.ip_count };
}

/** Number of friends who have opened a link. Read-only; an altered id rejects with 404. */
export async function countShareVisits(encodedId: string, signal?: AbortSignal): Promise<number> {
  return (await get("/api/share/check", { query: { id: encodedId } }, signal)).ip_count;
}

/** Report that a link was opened. The server ignores the sharer's own openings. */
export async function recordShareVisit(encodedId: string): Promise<void> {
  await send("post", "/api/share/visit", { id: encodedId });
}

/** The progress of the visitor's shared videos, according to the server. */
export async function listShareCounts(): Promise<ShareCount[]> {
  const { counts } = await get("/api/share/unlocked", {}, undefined, asVisitor());
  return Object.entries(counts).map(([id, count]) => ({ id, count }));
}
