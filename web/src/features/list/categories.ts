import { listCategories } from "@/shared/api/home-calls.ts";
import type { Category, RuntimeConfig } from "@/shared/api/model.ts";
import { queryKeys } from "@/shared/server-state/query-keys.ts";
import { useQuery } from "@/shared/server-state/use-query.ts";

/** Id of the synthetic first entry (specification §3). */
export const ALL_CATEGORIES = 0;

/** A category as a tab. */
export type CategoryTab = Pick<Category, "id" | "name">;

const ALL: CategoryTab = { id: ALL_CATEGORIES, name: "全部" };

/**
 * The tabs of a list: 全部 exactly once and first (docs/product.md#r3), without the categories that
 * are no tab (specification §5).
 */
export function categoryTabs(
  categories: readonly CategoryTab[],
  excluded: readonly number[],
): readonly CategoryTab[] {
  return [ALL, ...categories.filter(({ id }) => id !== ALL_CATEGORIES && !excluded.includes(id))];
}

/**
 * The name of a list. A category that is not a tab still has a list (docs/product.md#r2); its videos
 * say what the operator called it.
 *
 * @param found - What the list's first video says of its category, once there is one.
 */
export function categoryName(
  typeId: number,
  tabs: readonly CategoryTab[],
  { shortCategory, shareCategory }: Pick<RuntimeConfig, "shortCategory" | "shareCategory">,
  found: CategoryTab | undefined,
): string {
  const named = [...tabs, ...(found ? [found] : [])].find(({ id }) => id === typeId);
  if (named) return named.name;
  if (typeId === shareCategory) return "分享解锁";
  return typeId === shortCategory ? "短视频" : "视频";
}

const NONE: readonly Category[] = [];

/** The categories; none while loading. A failure is only logged (specification §8). */
export function useCategories(): readonly Category[] {
  return useQuery({ key: queryKeys.categories, load: listCategories }).data ?? NONE;
}
