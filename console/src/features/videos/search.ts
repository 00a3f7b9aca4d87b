import * as z from "zod/mini";
import { STATES } from "@/features/videos/names.ts";
import type { VideoFilter } from "@/shared/api/types.ts";

/** A value that cannot be read counts as none. */
const orElse = z.catch;

export const SORTS = ["created", "views", "updated", "duration"] as const;

/** Further pages are shown, but an address asks for no more at once. */
export const MOST_PAGES = 40;

export type Sort = (typeof SORTS)[number];

/** What the table's address says; whatever it should not say is left out. */
export const SEARCH = z.object({
  text: orElse(z.optional(z.string().check(z.maxLength(64))), undefined),
  category: orElse(z.optional(z.int().check(z.positive())), undefined),
  label: orElse(z.optional(z.string().check(z.maxLength(40))), undefined),
  artist: orElse(z.optional(z.string().check(z.maxLength(80))), undefined),
  state: orElse(z.optional(z.enum(STATES as [string, ...string[]])), undefined),
  sort: orElse(z.optional(z.enum(SORTS)), undefined),
  ascending: orElse(z.optional(z.boolean()), undefined),
  pages: orElse(z.optional(z.int().check(z.gte(2), z.lte(MOST_PAGES))), undefined),
});

export type Search = z.infer<typeof SEARCH>;

/** What is listed and in which order, however much of it is shown. */
export function listOf({ pages: _pages, ...list }: Search): Search {
  return list;
}

/** The call's query for a page of the table. */
export function queryOf(search: Search, after: string): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(listOf(search)))
    if (value !== undefined && value !== "") query.set(name, String(value));
  if (after) query.set("after", after);
  return query.toString();
}

/** Which videos an address means, whatever their order. */
export function filterOf(search: Search): VideoFilter {
  const { sort: _sort, ascending: _ascending, ...filter } = listOf(search);
  return Object.fromEntries(
    Object.entries(filter).filter(([, value]) => value !== undefined && value !== ""),
  ) as VideoFilter;
}
