import { keepFavourites } from "@/features/favourites/keep-favourites.ts";
import { countFavourites } from "@/shared/api/personal-calls.ts";
import { FRESH_MS } from "@/shared/server-state/query-cache.ts";
import { queryKeys } from "@/shared/server-state/query-keys.ts";
import { useQuery } from "@/shared/server-state/use-query.ts";

/**
 * Number of a code's favourites, requested again after a change made here, after five minutes, and
 * by `recount`; null while unknown.
 */
export function useFavouriteTotal(code: string) {
  const { data, refetch } = useQuery({
    key: queryKeys.favouriteTotal(code),
    load: async () => {
      const total = await countFavourites();
      if (total > 0) void keepFavourites(code);
      return total;
    },
    freshMs: FRESH_MS,
  });
  return { total: data ?? null, recount: () => void refetch() };
}
