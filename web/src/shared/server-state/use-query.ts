import { useEffect, useSyncExternalStore } from "react";
import { type Query, type QueryState, queryCache } from "./query-cache.ts";

/** What a component is told of its query. */
export interface QueryResult<T> extends QueryState<T> {
  readonly isError: boolean;
  /** A response is there, and the last request did not fail. */
  readonly isSuccess: boolean;
  /** Nothing is known yet, and nothing failed. */
  readonly isPending: boolean;
  /** Ask again; the promise never fails. @returns Whether it was answered. */
  readonly refetch: () => Promise<boolean>;
}

interface Options {
  /** False to look without asking; {@link QueryResult.refetch} asks all the same. */
  readonly isEnabled?: boolean;
}

/**
 * The response to a query, asked for when the component is first shown. What failed or is no longer
 * fresh is asked for again when the component comes back.
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
    // The cache tells observers apart by their listener: each subscription has one of its own.
    (listener) =>
      queryCache.observe(key, () => listener(), isEnabled ? () => void refetch() : null),
    read,
    read,
  );
  useEffect(() => {
    if (isEnabled) void queryCache.ensure(query);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `query` is another object at each drawing; its key alone says what is asked
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
