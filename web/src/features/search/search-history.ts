import { create } from "zustand";
import { read, remove, write } from "@/shared/storage/registry.ts";
import { SEARCH_HISTORY } from "@/shared/storage/screen-entries.ts";

/** Longest search, in characters; the server takes no more (docs/security.md#t12). */
export const MAX_CHARACTERS = 64;

/** The search term of a typed text; empty if there is none. */
export function searchTerm(text: string): string {
  const term = text.replaceAll(/\s+/g, " ").trim();
  return Array.from(term).slice(0, MAX_CHARACTERS).join("");
}

/**
 * A term as the history keeps it: commas separate its entries, so those inside become spaces
 * (docs/product.md#r18).
 */
export function historyTerm(term: string): string {
  return searchTerm(term.replaceAll(/[,，]+/g, " "));
}

/** The history with a term on top; an earlier entry of it is removed (specification §5). */
export function withTerm(history: readonly string[], term: string): readonly string[] {
  const stored = historyTerm(term);
  return stored ? [stored, ...history.filter((other) => other !== stored)] : history;
}

/**
 * Counts the searches of this page. A search made on /search is new even for the same term: its
 * list starts again, whereas returning from a video restores it (specification §2).
 */
export const useSearchCount = create<{ readonly count: number }>(() => ({ count: 0 }));

/** Add a term to the history. */
export function recordSearch(term: string): void {
  useSearchCount.setState(({ count }) => ({ count: count + 1 }));
  write(SEARCH_HISTORY, withTerm(read(SEARCH_HISTORY), term));
}

/**
 * Forget every term.
 *
 * @returns A function that brings them back.
 */
export function clearSearches(): () => void {
  const former = read(SEARCH_HISTORY);
  remove(SEARCH_HISTORY);
  return () => write(SEARCH_HISTORY, [...read(SEARCH_HISTORY), ...former]);
}

/** The results of a term. */
export function resultsAddress(term: string): string {
  return `/searchList?${new URLSearchParams({ search: term })}`;
}
