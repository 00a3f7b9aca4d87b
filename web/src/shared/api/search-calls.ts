import { get } from "./get.ts";

/** Calls around a search, in domain terms. */

/** What a visitor may be typing, or could search for instead. */
export interface Suggestion {
  readonly text: string;
  readonly kind: "hot" | "artist" | "label" | "title";
}

/**
 * At most ten texts that begin as was typed; pinyin and initials count. Rejects with `ApiError`.
 */
export async function suggestSearches(
  typed: string,
  signal?: AbortSignal,
): Promise<readonly Suggestion[]> {
  return await get("/api/videosuggest", { query: { q: typed } }, signal);
}

/** What to search where a search found nothing. Rejects with `ApiError`. */
export async function listRelatedSearches(
  term: string,
  signal?: AbortSignal,
): Promise<readonly Suggestion[]> {
  return await get("/api/videosuggest/related", { query: { q: term } }, signal);
}
