import { IconSearch, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { useCategories } from "@/features/videos/categories.ts";
import { STATES, stateName } from "@/features/videos/names.ts";
import type { Search, Sort } from "@/features/videos/search.ts";

const SORT_NAMES: Record<Sort, string> = {
  created: "按发布时间",
  views: "按播放次数",
  updated: "按更新时间",
  duration: "按时长",
};

/** What the table shows, and in which order. */
export function FilterBar({
  search,
  onChange,
}: {
  readonly search: Search;
  readonly onChange: (changed: Search) => void;
}) {
  const categories = useCategories();
  const [text, setText] = useState(search.text ?? "");
  return (
    <search className="filters">
      <form
        className="filter-search"
        onSubmit={(event) => {
          event.preventDefault();
          onChange({ text: text.trim() || undefined });
        }}
      >
        <IconSearch size={20} stroke={1.75} aria-hidden="true" />
        <input
          type="search"
          aria-label="搜索视频的标题或编号"
          placeholder="搜索标题或编号"
          maxLength={64}
          enterKeyHint="search"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            if (event.target.value === "") onChange({ text: undefined });
          }}
        />
      </form>
      <select
        className="filter-choice"
        aria-label="状态"
        value={search.state ?? ""}
        onChange={(event) => {
          onChange({ state: event.target.value || undefined });
        }}
      >
        <option value="">全部状态</option>
        {STATES.map((state) => (
          <option key={state} value={state}>
            {stateName(state)}
          </option>
        ))}
      </select>
      <select
        className="filter-choice"
        aria-label="分类"
        value={search.category ?? ""}
        onChange={(event) => {
          onChange({ category: event.target.value ? Number(event.target.value) : undefined });
        }}
      >
        <option value="">全部分类</option>
        {categories.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <select
        className="filter-choice"
        aria-label="排序"
        value={search.sort ?? "created"}
        onChange={(event) => {
          onChange({ sort: event.target.value as Sort, ascending: undefined });
        }}
      >
        {Object.entries(SORT_NAMES).map(([sort, name]) => (
          <option key={sort} value={sort}>
            {name}
          </option>
        ))}
      </select>
      {(["label", "artist"] as const).map((name) =>
        search[name] ? (
          <button
            key={name}
            type="button"
            className="chip"
            aria-label={`不再只看 ${search[name]}`}
            onClick={() => {
              onChange({ [name]: undefined });
            }}
          >
            {search[name]}
            <IconX size={16} stroke={2} aria-hidden="true" />
          </button>
        ) : null,
      )}
    </search>
  );
}
