/** How long a player page uses its data without asking again, milliseconds. */
export const FRESH_MS = 5 * 60_000;
/**
 * How long what is the same for the whole site is fresh, such as home, milliseconds. What is fresh
 * as long is never dropped, and renewed when the visitor comes back to the page (`renewal.ts`).
 */
export const SITE_FRESH_MS = 15 * 60_000;
/** How long unused entries stay, milliseconds. */
const UNUSED_MS = 30 * 60_000;
/** No response is as old as this. */
const NEVER = Number.NEGATIVE_INFINITY;

/** A question to the server. Its key comes from `query-keys.ts`. */
export interface Query<T> {
  readonly key: string;
  readonly load: () => Promise<T>;
  /** How long a response counts as fresh, milliseconds; as long as the page lives by default. */
  readonly freshMs?: number;
}

/** What is known of a query. */
export interface QueryState<T> {
  /** The last response; it stays while a new one is loading. */
  readonly data: T | undefined;
  /** Why the last request failed; null where it did not. */
  readonly error: unknown;
  readonly isFetching: boolean;
}

/** What the cache holds of a query. */
export interface Entry {
  state: QueryState<unknown>;
  /** When the response arrived, milliseconds since 1970; {@link NEVER} if it must be requested. */
  respondedAt: number;
  /** When its state last changed, milliseconds since 1970. */
  changedAt: number;
  freshMs: number;
  /** Asks the server; absent before anybody has asked. */
  load?: () => Promise<unknown>;
  request: Promise<unknown> | null;
  /** Its observers, with their functions for asking again. */
  readonly observers: Map<() => void, (() => void) | null>;
}

const IDLE: QueryState<never> = { data: undefined, error: null, isFetching: false };

/**
 * The server's responses by key, shared by everything that shows them. Nothing is retried silently
 * before the visitor has been away: a failure is logged, and shown with a way to retry.
 */
export class QueryCache {
  /** What is held, by key. */
  readonly entries = new Map<string, Entry>();

  /** The present state; the same object until it changes. */
  get<T>(key: string): QueryState<T> {
    return (this.entries.get(key)?.state as QueryState<T> | undefined) ?? IDLE;
  }

  /** Store a response that is already known. */
  set<T>(key: string, data: T): void {
    const entry = this.#entry(key);
    entry.respondedAt = Date.now();
    this.#change(entry, { data, error: null, isFetching: false });
  }

  /** The cached value of a key while it is fresh; otherwise created. */
  getOrCreate<T>(key: string, freshMs: number, create: () => T): T {
    const entry = this.#entry(key);
    entry.freshMs = freshMs;
    if (!isFresh(entry)) this.set(key, create());
    return entry.state.data as T;
  }

  /** Request it, unless a fresh response exists or one is loading. Failures are in the state. */
  async ensure<T>(query: Query<T>): Promise<void> {
    const entry = this.#asked(query);
    if (entry.request || isFresh(entry)) return;
    await this.fetch(query).catch(() => {});
  }

  /**
   * Request it again, or wait for the current request. @throws The request's error.
   */
  async fetch<T>(query: Query<T>): Promise<T> {
    const entry = this.#asked(query);
    entry.request ??= this.#ask(query, entry);
    return entry.request as Promise<T>;
  }

  /** Request it again where it is shown, and everywhere else once it is shown. */
  invalidate(key: string): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    entry.respondedAt = NEVER;
    for (const refetch of entry.observers.values()) refetch?.();
  }

  /**
   * Listen to changes of a key; the returned function ends it.
   *
   * @param refetch - Asks again after {@link invalidate}; null where the observer does not ask.
   */
  observe(key: string, listener: () => void, refetch: (() => void) | null = null): () => void {
    const { observers } = this.#entry(key);
    observers.set(listener, refetch);
    return () => {
      observers.delete(listener);
      this.#dropUnused();
    };
  }

  async #ask<T>({ key, load }: Query<T>, entry: Entry): Promise<T> {
    const { data, error } = entry.state;
    this.#change(entry, { data, error: data === undefined ? null : error, isFetching: true });
    try {
      const response = await load();
      entry.request = null;
      this.set(key, response);
      return response;
    } catch (failure) {
      console.warn(failure);
      entry.request = null;
      entry.respondedAt = NEVER;
      this.#change(entry, { data: entry.state.data, error: failure, isFetching: false });
      throw failure;
    }
  }

  #asked<T>({ key, load, freshMs = Number.POSITIVE_INFINITY }: Query<T>): Entry {
    const entry = this.#entry(key);
    entry.load = load;
    entry.freshMs = freshMs;
    return entry;
  }

  #entry(key: string): Entry {
    let entry = this.entries.get(key);
    if (!entry) {
      entry = {
        state: IDLE,
        respondedAt: NEVER,
        changedAt: Date.now(),
        freshMs: Number.POSITIVE_INFINITY,
        request: null,
        observers: new Map(),
      };
      this.entries.set(key, entry);
    }
    return entry;
  }

  #change(entry: Entry, state: QueryState<unknown>): void {
    entry.state = state;
    entry.changedAt = Date.now();
    for (const listener of entry.observers.keys()) listener();
  }

  /** A visitor who goes from video to video for hours leaves no trail of old responses. */
  #dropUnused(): void {
    const now = Date.now();
    for (const [key, { observers, request, freshMs, changedAt }] of this.entries) {
      const isUnused = observers.size === 0 && !request && freshMs < SITE_FRESH_MS;
      if (isUnused && now - changedAt > UNUSED_MS) this.entries.delete(key);
    }
  }
}

/** Whether the response of an entry may be shown without asking again. */
export function isFresh({ respondedAt, freshMs }: Entry): boolean {
  return Date.now() - respondedAt < freshMs;
}

/** The page's cache. */
export const queryCache = new QueryCache();
