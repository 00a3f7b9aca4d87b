import { useEffect, useSyncExternalStore } from "react";
import { type Query, type QueryState, queryCache } from "./query-cache.ts";

/** What a component is told of its query. */
export interface QueryResult<T> extends QueryState<T> {
  readonly isError: boolean;
  /** There is a response, and the last request did not fail. */
  readonly isSuccess: boolean;
  /** Nothing is known yet, and nothing failed. */
  readonly isPending: boolean;
  /** Ask again; the promise never fails. @returns Whether it was answered. */
  readonly refetch: () => Promise<boolean>;
}

interface Options {
  /**
   * False to observe without requesting; {@link QueryResult.refetch} requests it all the same.
   */
  readonly isEnabled?: boolean;
}

/**
 * The response to a query, requested when the component is first shown. After a failure, or once
 * stale, it is requested again when the component returns.
 */
export function useQuery<T>(query: Query<T>, { isEnabled = true }: Options = {}): QueryResult<T> {
  const { key } = query;
  const refetch = async () => {
    try {
      await queryCache.fetch(query);
      return true;
    } catch {
      return false;
    }
  };
  const read = () => queryCache.get<T>(key);
  const state = useSyncExternalStore(
    // The cache identifies observers by their listener: each subscription has its own.
    (listener) =>
      queryCache.observe(key, () => listener(), isEnabled ? () => void refetch() : null),
    read,
    read,
  );
  useEffect(() => {
    if (isEnabled) void queryCache.ensure(query);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `query` is a new object each time
  }, [key, isEnabled]);
  const isError = state.error !== null;
  return {
    ...state,
    isError,
    isSuccess: state.data !== undefined && !isError,
    isPending: state.data === undefined && !isError,
    refetch,
  };
}
