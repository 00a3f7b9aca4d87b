import "@/features/search/search.css";
import "@/shared/ui/chip-flow.css";
import { SearchBar } from "@/features/search/search-bar.tsx";
import { recordSearch, resultsAddress, searchTerm } from "@/features/search/search-history.ts";
import { HotGroups, SearchHistory } from "@/features/search/search-terms.tsx";
import { useNavigate } from "@/shared/navigation/navigation.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";

/** `/search` (specification §2): the field, what was searched before, what others search. */
export function SearchScreen() {
  const navigate = useNavigate();
  useTitle("搜索");
  const search = (text: string) => {
    const term = searchTerm(text);
    if (!term) return;
    recordSearch(term);
    navigate(resultsAddress(term));
  };
  return (
    <>
      <h1 className="sr-only">搜索</h1>
      <SearchBar onSearch={search} />
      <div className="search-page">
        <SearchHistory onSearch={search} />
        <HotGroups onSearch={search} />
      </div>
    </>
  );
}
