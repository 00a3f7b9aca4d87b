import { useEffect, useState, useSyncExternalStore } from "react";
import { type LoadPage, PagedList } from "./paged-list.ts";
import { FRESH_MS, queryCache } from "./query-cache.ts";

interface Options<T> {
  /** Tells items apart where the list is edited; see {@link PagedList}. */
  readonly keyOf?: (item: T) => unknown;
  /** The key under which the list outlives its component, from `query-keys.ts`. */
  readonly cacheKey?: string;
}

/**
 * A paged list for the component, loaded when it is first shown. Give the component a `key` that
 * changes with what is listed: another list is another component.
 */
export function usePagedList<T>(load: LoadPage<T>, { keyOf, cacheKey }: Options<T> = {}) {
  const [list] = useState(() => {
    const create = () => new PagedList(load, keyOf ?? null);
    return cacheKey ? queryCache.getOrCreate(cacheKey, FRESH_MS, create) : create();
  });
  const state = useSyncExternalStore(list.subscribe, list.state, list.state);
  useEffect(() => {
    const { status, items } = list.state();
    if (status === "idle" && items.length === 0) void list.loadNext();
  }, [list]);
  return [list, state] as const;
}
