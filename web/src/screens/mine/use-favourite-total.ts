import { useEffect, useState } from "react";
import { keepFavourites } from "@/features/favourites/keep-favourites.ts";
import { countFavourites } from "@/shared/api/personal-calls.ts";

interface Counted {
  readonly code: string;
  readonly total: number;
}

/**
 * Number of a code's favourites, requested at each visit and again by `recount`; null while
 * unknown.
 */
export function useFavouriteTotal(code: string) {
  const [counted, setCounted] = useState<Counted | null>(null);
  const [asks, setAsks] = useState(0);
  useEffect(() => {
    const request = new AbortController();
    countFavourites(request.signal).then(
      (total) => {
        setCounted({ code, total });
        return total > 0 ? keepFavourites(code) : undefined;
      },
      (error: unknown) => request.signal.aborted || console.info(error),
    );
    return () => request.abort();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- each press of `asks` is another question
  }, [code, asks]);
  return {
    total: counted?.code === code ? counted.total : null,
    recount: () => setAsks((before) => before + 1),
  };
}
