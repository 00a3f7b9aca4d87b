import type { Page } from "@/shared/api/model.ts";
import { emptyList, type ListState, reduceList } from "./paging.ts";

/** Fetches a page, from 1; `place` says where the page before ended, and nothing after a jump. */
export type LoadPage<T> = (
  page: number,
  signal: AbortSignal,
  place: { after?: string },
) => Promise<Page<T>>;

/**
 * A list that grows page by page. It lives outside React, so that a request continues while its
 * screen is hidden and the screen finds the answer when it returns.
 */
export class PagedList<T> {
  readonly #load: LoadPage<T>;
  readonly #listeners = new Set<() => void>();
  #state: ListState<T> = emptyList();
  #request: AbortController | null = null;

  readonly #keyOf: ((item: T) => unknown) | null;

  /**
   * @param keyOf - Identifies items where {@link edit} moves them between pages; no key is then
   *   listed twice.
   */
  constructor(load: LoadPage<T>, keyOf: ((item: T) => unknown) | null = null) {
    this.#load = load;
    this.#keyOf = keyOf;
  }

  /** The current state; the same object until something changes. */
  readonly state = (): ListState<T> => this.#state;

  /** Hear of changes. @returns A function that ends it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Load the next page, also after a failure. Does nothing while loading or at the end. */
  readonly loadNext = async (): Promise<void> => {
    const before = this.#state;
    this.#dispatch({ kind: "load" });
    const { status, nextPage, after, generation } = this.#state;
    if (this.#state === before || status !== "loading") return;
    const request = new AbortController();
    this.#request = request;
    try {
      const page = this.#withoutKnown(
        await this.#load(nextPage, request.signal, after ? { after } : {}),
      );
      this.#dispatch({ kind: "loaded", generation, page });
    } catch (error) {
      if (request.signal.aborted) return;
      console.warn(error);
      this.#dispatch({ kind: "failed", generation });
    }
  };

  /**
   * Clear the list and load a page (specification §4): the first for a refresh, any other for a
   * jump.
   */
  readonly restart = async (page = 1): Promise<void> => {
    this.#request?.abort();
    this.#dispatch({ kind: "restart", page });
    await this.loadNext();
  };

  /**
   * Edit the list after the server has confirmed it: an item is removed or restored. A page that
   * was loading is requested again, because the server has moved everything behind it.
   */
  readonly edit = (change: (items: readonly T[]) => readonly T[]): void => {
    const wasLoading = this.#state.status === "loading";
    if (wasLoading) this.#request?.abort();
    this.#dispatch({ kind: "edited", items: change(this.#state.items) });
    const { status, items } = this.#state;
    if (status === "idle" && (wasLoading || items.length === 0)) void this.loadNext();
  };

  /** Stop a request that nobody waits for any more. */
  readonly stop = (): void => this.#request?.abort();

  #withoutKnown(page: Page<T>): Page<T> {
    const keyOf = this.#keyOf;
    if (!keyOf) return page;
    const known = new Set(this.#state.items.map(keyOf));
    return { ...page, items: page.items.filter((item) => !known.has(keyOf(item))) };
  }

  #dispatch(action: Parameters<typeof reduceList<T>>[1]): void {
    const next = reduceList(this.#state, action);
    if (next === this.#state) return;
    this.#state = next;
    for (const listener of this.#listeners) listener();
  }
}
