import { useAnswer } from "@/shared/answers/use-answer.ts";
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

const NONE: readonly Category[] = [];

/** The categories; none while they are on their way. A failure is logged only (specification §8). */
export function useCategories(): readonly Category[] {
  return useAnswer("categories", listCategories).data ?? NONE;
}
