import type { Page } from "@/shared/api/model.ts";
import { emptyList, type ListState, reduceList } from "./paging.ts";

/** Fetches a page, from 1. */
export type LoadPage<T> = (page: number, signal: AbortSignal) => Promise<Page<T>>;

/**
 * A list that grows page by page. It lives beside React, so that a request goes on while its screen is hidden and the
 * screen finds the answer when it comes back.
 */
export class PagedList<T> {
  readonly #load: LoadPage<T>;
  readonly #listeners = new Set<() => void>();
  #state: ListState<T> = emptyList();
  #request: AbortController | null = null;

  constructor(load: LoadPage<T>) {
    this.#load = load;
  }

  /** The present state; the same object until something changes. */
  readonly state = (): ListState<T> => this.#state;

  /** Hear of changes. @returns A function that ends it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Load the next page, also again after a failure. Nothing happens while loading or at the end. */
  readonly loadNext = async (): Promise<void> => {
    const before = this.#state;
    this.#dispatch({ kind: "load" });
    const { status, nextPage, generation } = this.#state;
    if (this.#state === before || status !== "loading") return;
    const request = new AbortController();
    this.#request = request;
    try {
      const page = await this.#load(nextPage, request.signal);
      this.#dispatch({ kind: "loaded", generation, page });
    } catch (error) {
      if (request.signal.aborted) return;
      console.warn(error);
      this.#dispatch({ kind: "failed", generation });
    }
  };

  /** Clear the list and load a page (specification §4): the first for a refresh, any other for a jump. */
  readonly restart = async (page = 1): Promise<void> => {
    this.#request?.abort();
    this.#dispatch({ kind: "restart", page });
    await this.loadNext();
  };

  /** Stop a request that nobody waits for any more. */
  readonly stop = (): void => this.#request?.abort();

  #dispatch(action: Parameters<typeof reduceList<T>>[1]): void {
    const next = reduceList(this.#state, action);
    if (next === this.#state) return;
    this.#state = next;
    for (const listener of this.#listeners) listener();
  }
}
