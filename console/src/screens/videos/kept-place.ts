import { useElementScrollRestoration } from "@tanstack/react-router";
import { useEffect, useLayoutEffect, useRef } from "react";
import { MOST_PAGES } from "@/features/videos/search.ts";

interface Pages {
  readonly data: { readonly pages: readonly unknown[] } | undefined;
  readonly hasNextPage: boolean;
  readonly isFetching: boolean;
  readonly isFetchNextPageError: boolean;
  readonly isPlaceholderData: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
}

/**
 * As many pages as the address names, and the place on them where one was: also when the page was
 * loaded anew.
 *
 * @param wanted - how many pages the address names.
 * @param onMore - writes another number of pages into the address.
 * @returns what shows one page more.
 */
export function useKeptPlace(
  list: Pages,
  wanted: number,
  onMore: (pages: number) => void,
): () => void {
  const { data, hasNextPage, isFetching, isFetchNextPageError, isPlaceholderData } = list;
  const { fetchNextPage } = list;
  const loaded = isPlaceholderData ? 0 : (data?.pages.length ?? 0);
  const isWhole = loaded > 0 && (loaded >= wanted || !hasNextPage);
  useEffect(() => {
    if (loaded > 0 && !isWhole && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [loaded, isWhole, isFetching, isFetchNextPageError, fetchNextPage]);
  const kept = useElementScrollRestoration({ getElement: () => window });
  // Rows that were there from the start are the router's own business.
  const isToBePlaced = useRef(!isWhole);
  useLayoutEffect(() => {
    if (!isWhole || !isToBePlaced.current) return;
    isToBePlaced.current = false;
    if (kept) window.scrollTo(kept.scrollX, kept.scrollY);
  }, [isWhole, kept]);
  return () => {
    void fetchNextPage();
    onMore(Math.min(MOST_PAGES, loaded + 1));
  };
}
