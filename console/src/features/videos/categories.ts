import { useQuery } from "@tanstack/react-query";
import { call } from "@/shared/api/call.ts";
import type { Category } from "@/shared/api/types.ts";

const NONE: readonly Category[] = [];

/** The categories to choose from; none until they are known. */
export function useCategories(): readonly Category[] {
  const categories = useQuery({
    queryKey: ["categories"],
    queryFn: ({ signal }) => call<Category[]>("/api/videos/categories", { signal }),
    staleTime: 60_000,
  });
  return categories.data ?? NONE;
}
