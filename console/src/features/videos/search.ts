import { z } from "zod";
import { STATES } from "@/features/videos/names.ts";
import type { VideoFilter } from "@/shared/api/types.ts";

export const SORTS = ["created", "views", "updated", "duration"] as const;

export type Sort = (typeof SORTS)[number];

/** What the table's address says; whatever it should not say is left out. */
export const SEARCH = z.object({
  text: z.string().max(64).optional().catch(undefined),
  category: z.number().int().positive().optional().catch(undefined),
  label: z.string().max(40).optional().catch(undefined),
  artist: z.string().max(80).optional().catch(undefined),
  state: z
    .enum(STATES as [string, ...string[]])
    .optional()
    .catch(undefined),
  sort: z.enum(SORTS).optional().catch(undefined),
  ascending: z.boolean().optional().catch(undefined),
});

export type Search = z.infer<typeof SEARCH>;

/** The call's query for a page of the table. */
export function queryOf(search: Search, after: string): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    if (value !== undefined && value !== "") query.set(name, String(value));
  if (after) query.set("after", after);
  return query.toString();
}

/** Which videos an address means, whatever their order. */
export function filterOf(search: Search): VideoFilter {
  const { sort: _sort, ascending: _ascending, ...filter } = search;
  return Object.fromEntries(
    Object.entries(filter).filter(([, value]) => value !== undefined && value !== ""),
  ) as VideoFilter;
}
