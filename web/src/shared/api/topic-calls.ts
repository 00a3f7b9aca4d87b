import { get } from "./get.ts";
import { pageFromWire, topicFromWire } from "./mapping.ts";
import type { Page, Topic, Video } from "./model.ts";

/** The calls of topics, in domain terms. All reject with `ApiError`. */

/** The topics that have videos, in the operator's order. */
export async function listTopics(signal?: AbortSignal): Promise<Topic[]> {
  return (await get("/api/topics", {}, signal)).map(topicFromWire);
}

/** A page of a topic's videos, in the operator's order. */
export async function listTopicVideos(
  topicId: number,
  page: number,
  signal?: AbortSignal,
): Promise<Page<Video>> {
  const options = { path: { topic_id: topicId }, query: { page } };
  return pageFromWire(await get("/api/videotopic/{topic_id}", options, signal));
}
