import { useEffect, useSyncExternalStore } from "react";
import { type Answer, answers } from "./answer-store.ts";

const subscribe = (listener: () => void) => answers.subscribe(listener);

/**
 * The answer to a question, asked when the view is first shown. One that failed is asked again when
 * the view comes back, or by `retry`.
 *
 * @param key - Names the question; another key asks anew, null asks nothing.
 * @param load - Asks the server.
 */
export function useAnswer<T>(
  key: string | null,
  load: () => Promise<T>,
): Answer<T> & { readonly retry: () => void } {
  const answer = useSyncExternalStore(
    subscribe,
    () => answers.get<T>(key ?? ""),
    () => answers.get<T>(key ?? ""),
  );
  const ask = () => {
    if (key !== null) void answers.ask(key, load);
  };
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- `load` is another function at each drawing; the key alone says what is asked
  useEffect(ask, [key]);
  return { ...answer, retry: ask };
}
