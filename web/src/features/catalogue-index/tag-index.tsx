import "./catalogue-index.css";
import "@/shared/ui/chip-flow.css";
import type { Tag } from "@/shared/api/discovery-calls.ts";
import type { Category } from "@/shared/api/model.ts";
import { Cover } from "@/shared/covers/cover.tsx";
import { listAddress } from "@/shared/list-address.ts";
import { Link } from "@/shared/navigation/navigation.tsx";

/** The categories, each leading to its list. */
export function CategoryCards({ categories }: { readonly categories: readonly Category[] }) {
  return (
    <section className="index-card" aria-labelledby="index-categories">
      <h2 id="index-categories">分类</h2>
      <div className="category-cards">
        {categories.map(({ id, name, icon }) => (
          <Link key={id} to={listAddress(id)}>
            {icon.url && <Cover picture={icon} ratio="fill" className="category-card-icon" />}
            {name}
          </Link>
        ))}
      </div>
    </section>
  );
}

/** The labels, each leading to a search for it; the most used first. */
export function TagChips({ tags }: { readonly tags: readonly Tag[] }) {
  return (
    <section className="index-card" aria-labelledby="index-tags">
      <h2 id="index-tags">标签</h2>
      <div className="chip-flow">
        {tags.map(({ id, name, videoCount }) => (
          <Link key={id} to={`/searchList?${new URLSearchParams({ search: name })}`}>
            <span>
              {name}
              <small>{videoCount}</small>
            </span>
          </Link>
        ))}
      </div>
    </section>
  );
}
