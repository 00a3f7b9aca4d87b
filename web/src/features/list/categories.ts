import { useQuery } from "@tanstack/react-query";
import { listCategories } from "@/shared/api/calls.ts";
import type { Category } from "@/shared/api/model.ts";

/** Id of the synthetic first entry (specification §3). */
export const ALL_CATEGORIES = 0;

/** A category as a tab. */
export type CategoryTab = Pick<Category, "id" | "name">;

const ALL: CategoryTab = { id: ALL_CATEGORIES, name: "全部" };

/**
 * The tabs of a list: 全部 exactly once and first (readings 3), without the categories that are no tab (specification
 * §5).
 */
export function categoryTabs(categories: readonly CategoryTab[], excluded: readonly number[]): readonly CategoryTab[] {
  return [ALL, ...categories.filter(({ id }) => id !== ALL_CATEGORIES && !excluded.includes(id))];
}

/** The categories; none while they are on their way. A failure is logged only (specification §8). */
export function useCategories(): readonly Category[] {
  const { data } = useQuery({
    queryKey: ["categories"],
    queryFn: async ({ signal }) => {
      try {
        return await listCategories(signal);
      } catch (error) {
        console.warn(error);
        throw error;
      }
    },
  });
  return data ?? NONE;
}

const NONE: readonly Category[] = [];
