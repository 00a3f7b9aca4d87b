import { useEffect, useState, useSyncExternalStore } from "react";
import { type LoadPage, PagedList } from "./paged-list.ts";

/**
 * A paged list of its own for the component, begun when it is first shown. Give the component a
 * `key` that changes with what is listed: another list is another component.
 */
export function usePagedList<T>(load: LoadPage<T>, keyOf: ((item: T) => unknown) | null = null) {
  const [list] = useState(() => new PagedList(load, keyOf));
  const state = useSyncExternalStore(list.subscribe, list.state, list.state);
  useEffect(() => {
    const { status, items } = list.state();
    if (status === "idle" && items.length === 0) void list.loadNext();
  }, [list]);
  return [list, state] as const;
}
