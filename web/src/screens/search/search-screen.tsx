import "@/features/search/search.css";
import "@/shared/ui/chip-flow.css";
import { useState } from "react";
import { SearchBar } from "@/features/search/search-bar.tsx";
import { recordSearch, resultsAddress, searchTerm } from "@/features/search/search-history.ts";
import { HotGroups, SearchHistory } from "@/features/search/search-terms.tsx";
import { SuggestionList } from "@/features/search/suggestion-list.tsx";
import { useSuggestions } from "@/features/search/use-suggestions.ts";
import { reportSearch } from "@/shared/api/search-report.ts";
import { useNavigate } from "@/shared/navigation/navigation.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";

/** `/search` (specification §2): the field, what was searched before, what others search. */
export function SearchScreen() {
  const navigate = useNavigate();
  const [text, setText] = useState("");
  useTitle("搜索");
  const search = (wanted: string) => {
    const term = searchTerm(wanted);
    if (!term) return;
    recordSearch(term);
    navigate(resultsAddress(term));
  };
  // Only what was typed makes a word hot: pressing a hot word would otherwise keep it hot.
  const searchTyped = (wanted: string) => {
    const term = searchTerm(wanted);
    if (term) void reportSearch(term);
    search(wanted);
  };
  const suggestions = useSuggestions(text, searchTyped);
  return (
    <>
      <h1 className="sr-only">搜索</h1>
      <SearchBar text={text} onText={setText} onSearch={searchTyped} suggestions={suggestions} />
      <div className="search-page">
        {suggestions.items.length > 0 && (
          <SuggestionList
            items={suggestions.items}
            active={suggestions.active}
            onChoose={searchTyped}
          />
        )}
        <SearchHistory onSearch={search} />
        <HotGroups onSearch={search} />
      </div>
    </>
  );
}
