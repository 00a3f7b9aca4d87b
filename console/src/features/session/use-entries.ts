import { ENTRIES, type Entry } from "@/features/session/entries.ts";
import { includes, useMe } from "@/features/session/me.ts";

/** A phone's bar has room for so many beside 更多. */
const FIRST = 4;

/** The pages that this session may open: those of a phone's bar, and the rest. */
export function useEntries(): {
  readonly first: readonly Entry[];
  readonly rest: readonly Entry[];
} {
  const me = useMe();
  const mine = ENTRIES.filter(({ role }) => me && includes(me.role, role));
  return { first: mine.slice(0, FIRST), rest: mine.slice(FIRST) };
}
