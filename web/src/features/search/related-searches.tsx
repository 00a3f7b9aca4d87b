import "@/shared/ui/chip-flow.css";
import { listRelatedSearches } from "@/shared/api/search-calls.ts";
import { Link } from "@/shared/navigation/navigation.tsx";
import { queryKeys } from "@/shared/server-state/query-keys.ts";
import { useQuery } from "@/shared/server-state/use-query.ts";
import { resultsAddress } from "./search-history.ts";

/** What to search for instead, if nothing was found. Shows nothing if it cannot be loaded. */
export function RelatedSearches({ term }: { readonly term: string }) {
  const { data = [] } = useQuery({
    key: queryKeys.relatedSearches(term),
    load: () => listRelatedSearches(term),
  });
  if (data.length === 0) return null;
  return (
    <section className="related-searches" aria-labelledby="related-searches">
      <h2 id="related-searches">试试这些</h2>
      <div className="chip-flow related-chips">
        {data.map(({ text }) => (
          <Link key={text} to={resultsAddress(text)}>
            <span>{text}</span>
          </Link>
        ))}
      </div>
    </section>
  );
}
