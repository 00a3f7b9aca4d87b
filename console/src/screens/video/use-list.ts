import { getRouteApi } from "@tanstack/react-router";
import type { Search } from "@/features/videos/search.ts";

const route = getRouteApi("/shell/videos/$id");

/** The list that a video's page was opened from, as its address would name it. */
export function useList(): Search {
  const { part: _part, ...list } = route.useSearch();
  return list;
}
