import { type KeyboardEvent, useEffect, useState } from "react";
import { type Suggestion, suggestSearches } from "@/shared/api/search-calls.ts";
import { useDebounced } from "@/shared/debounce.ts";
import { searchTerm } from "./search-history.ts";

export interface Suggestions {
  readonly items: readonly Suggestion[];
  /** Index of the suggestion reached by the arrow keys; -1 is the field itself. */
  readonly active: number;
  readonly onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
}

const NONE: readonly Suggestion[] = [];

/**
 * Suggestions for what is being typed, requested once typing pauses; late answers for changed text
 * are ignored.
 */
export function useSuggestions(text: string, onChoose: (term: string) => void): Suggestions {
  const typed = searchTerm(text);
  const rested = useDebounced(typed);
  const [found, setFound] = useState(NONE);
  const [active, setActive] = useState(-1);
  const [closedFor, setClosedFor] = useState("");

  useEffect(() => {
    setActive(-1);
    setFound(NONE);
    if (!rested) return undefined;
    const controller = new AbortController();
    suggestSearches(rested, controller.signal).then(setFound, (error: unknown) => {
      if (!controller.signal.aborted) console.info(error); // Typing goes on without suggestions.
    });
    return () => controller.abort();
  }, [rested]);

  const items = typed === "" || typed === closedFor ? NONE : found;
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // While an input method composes, the keys belong to it.
    if (items.length === 0 || event.nativeEvent.isComposing) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const chosen = items[active];
    if (step !== 0) {
      const places = items.length + 1;
      setActive(((active + 1 + step + places) % places) - 1);
    } else if (event.key === "Escape")
      setClosedFor(typed); // Until something else is typed.
    else if (event.key === "Enter" && chosen) onChoose(chosen.text);
    else return;
    event.preventDefault();
  };
  return { items, active, onKeyDown };
}
