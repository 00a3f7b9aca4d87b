import { CategoryCards, TagChips } from "@/features/catalogue-index/tag-index.tsx";
import { useCategories } from "@/features/list/categories.ts";
import { useAnswer } from "@/shared/answers/use-answer.ts";
import { listTags } from "@/shared/api/discovery-calls.ts";
import { WaitingAnswer } from "./waiting-answer.tsx";

/** `/find/tags`: categories and labels. */
export function TagsTab() {
  const categories = useCategories();
  const answer = useAnswer("tags", listTags);
  return (
    <div className="index-body">
      {categories.length > 0 && <CategoryCards categories={categories} />}
      <WaitingAnswer answer={answer}>
        {(tags) => tags.length > 0 && <TagChips tags={tags} />}
      </WaitingAnswer>
    </div>
  );
}
