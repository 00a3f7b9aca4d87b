import type { Page } from "@/shared/api/model.ts";

/** The state of a list (specification §4): idle, loading, finished, or failed. */
export type ListStatus = "idle" | "loading" | "finished" | "error";

export interface ListState<T> {
  readonly status: ListStatus;
  readonly items: readonly T[];
  /** The page of the first item; 1 unless the visitor jumped. */
  readonly firstPage: number;
  /** The page to load next, from 1; it increases after each success. */
  readonly nextPage: number;
  /**
   * Where the last loaded page ended, according to the server; absent if the next page is known by
   * its number only.
   */
  readonly after?: string | undefined;
  /** Items in the whole list; null before the first answer. */
  readonly total: number | null;
  /** Page size of the server; 0 before the first answer. */
  readonly perPage: number;
  /** Increases whenever the list is cleared; answers to earlier requests are then void. */
  readonly generation: number;
}

export type ListAction<T> =
  | { readonly kind: "load" }
  | { readonly kind: "loaded"; readonly generation: number; readonly page: Page<T> }
  | { readonly kind: "failed"; readonly generation: number }
  | { readonly kind: "edited"; readonly items: readonly T[] }
  | { readonly kind: "restart"; readonly page: number };

/** A list before its first load. */
export function emptyList<T>(page = 1, generation = 0): ListState<T> {
  return {
    status: "idle",
    items: [],
    firstPage: page,
    nextPage: page,
    total: null,
    perPage: 0,
    generation,
  };
}

/**
 * Pages in the whole list: ceil(total / per page) (specification §4); 0 before the first answer and
 * for none.
 */
export function totalPages({
  total,
  perPage,
}: Pick<ListState<unknown>, "total" | "perPage">): number {
  return total === null || perPage <= 0 ? 0 : Math.ceil(total / perPage);
}

/** The page, from 1, that an item belongs to. */
export function pageOfItem(
  state: Pick<ListState<unknown>, "firstPage" | "perPage">,
  index: number,
): number {
  return state.perPage > 0 ? state.firstPage + Math.floor(index / state.perPage) : state.firstPage;
}

function append<T>(state: ListState<T>, page: Page<T>): ListState<T> {
  return {
    ...state,
    status: page.hasNext ? "idle" : "finished",
    // The first page of a generation replaces the previous items: the list was cleared.
    items: [...state.items, ...page.items],
    nextPage: state.nextPage + 1,
    after: page.after,
    total: page.total,
    perPage: page.perPage,
  };
}

/**
 * Items were removed or restored without loading: the next page is the one with the first item not
 * shown.
 */
function edit<T>(state: ListState<T>, items: readonly T[]): ListState<T> {
  const total =
    state.total === null ? null : Math.max(0, state.total + items.length - state.items.length);
  const { status, firstPage, perPage } = state;
  return {
    ...state,
    status: status === "loading" ? "idle" : status,
    items,
    total,
    nextPage: perPage > 0 ? firstPage + Math.floor(items.length / perPage) : state.nextPage,
    after: undefined,
  };
}

/**
 * The next state. What does not fit the current one (a late answer, a second load) changes nothing.
 */
export function reduceList<T>(state: ListState<T>, action: ListAction<T>): ListState<T> {
  switch (action.kind) {
    case "load":
      return state.status === "idle" || state.status === "error"
        ? { ...state, status: "loading" }
        : state;
    case "loaded":
      return action.generation === state.generation && state.status === "loading"
        ? append(state, action.page)
        : state;
    case "failed":
      return action.generation === state.generation && state.status === "loading"
        ? { ...state, status: "error" }
        : state;
    case "edited":
      return edit(state, action.items);
    case "restart": {
      const cleared = emptyList<T>(action.page, state.generation + 1);
      // The total stays known, so that the pager does not disappear while a page is loading.
      return { ...cleared, total: state.total, perPage: state.perPage };
    }
  }
}
