import { CategoryCards, TagChips } from "@/features/catalogue-index/tag-index.tsx";
import { useCategories } from "@/features/list/categories.ts";
import { listTags } from "@/shared/api/discovery-calls.ts";
import { queryKeys } from "@/shared/server-state/query-keys.ts";
import { useQuery } from "@/shared/server-state/use-query.ts";
import { WaitingData } from "./waiting-data.tsx";

/** `/find/tags`: categories and labels. */
export function TagsTab() {
  const categories = useCategories();
  const tags = useQuery({ key: queryKeys.tags, load: listTags });
  return (
    <div className="index-body">
      {categories.length > 0 && <CategoryCards categories={categories} />}
      <WaitingData query={tags}>{(all) => all.length > 0 && <TagChips tags={all} />}</WaitingData>
    </div>
  );
}
