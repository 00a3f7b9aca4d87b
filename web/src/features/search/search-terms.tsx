import { IconTrash } from "@tabler/icons-react";
import { listHotGroups } from "@/shared/api/discovery-calls.ts";
import { showMessage } from "@/shared/messages/message-store.ts";
import { SITE_FRESH_MS } from "@/shared/server-state/query-cache.ts";
import { queryKeys } from "@/shared/server-state/query-keys.ts";
import { useQuery } from "@/shared/server-state/use-query.ts";
import { SEARCH_HISTORY } from "@/shared/storage/screen-entries.ts";
import { useStored } from "@/shared/storage/use-stored.ts";
import { clearSearches } from "./search-history.ts";

interface TermsProps {
  readonly onSearch: (term: string) => void;
}

/** What the visitor searched before, as chips. */
export function SearchHistory({ onSearch }: TermsProps) {
  const terms = useStored(SEARCH_HISTORY);
  if (terms.length === 0) return null;
  const clear = () => showMessage("搜索历史已清空", { label: "撤销", run: clearSearches() });
  return (
    <section aria-labelledby="search-history">
      <div className="search-head">
        <h2 id="search-history">搜索历史</h2>
        <button type="button" className="search-clear-all" onClick={clear}>
          <IconTrash size={16} stroke={2} aria-hidden="true" />
          清空
        </button>
      </div>
      <div className="chip-flow">
        {terms.map((term) => (
          <button key={term} type="button" onClick={() => onSearch(term)}>
            <span>{term}</span>
          </button>
        ))}
      </div>
    </section>
  );
}

/**
 * What others search for, in numbered columns. Shows nothing if it cannot be loaded (specification
 * §8).
 */
export function HotGroups({ onSearch }: TermsProps) {
  const { data = [] } = useQuery({
    key: queryKeys.hotWords,
    load: listHotGroups,
    freshMs: SITE_FRESH_MS,
  });
  const groups = data.filter((group) => group.words.length > 0);
  if (groups.length === 0) return null;
  return (
    <section aria-labelledby="hot-words">
      <div className="search-head">
        <h2 id="hot-words">大家在搜</h2>
      </div>
      <div className="hot-groups">
        {groups.map(({ title, words }, index) => (
          <section key={title} className="hot-group" data-hue={index % 4}>
            <h3>{title}</h3>
            <ol>
              {words.map((word, place) => (
                <li key={word}>
                  <button type="button" onClick={() => onSearch(word)}>
                    <i aria-hidden="true">{place + 1}</i>
                    <span>{word}</span>
                  </button>
                </li>
              ))}
            </ol>
          </section>
        ))}
      </div>
    </section>
  );
}
