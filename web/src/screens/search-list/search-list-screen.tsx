import "@/features/list/list.css";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { VideoResults } from "@/features/list/video-results.tsx";
import { FoundTile } from "@/features/search/found-tile.tsx";
import { RelatedSearches } from "@/features/search/related-searches.tsx";
import { searchTerm, useSearchCount } from "@/features/search/search-history.ts";
import { searchVideos } from "@/shared/api/list-calls.ts";
import { groupDigits } from "@/shared/format/count.ts";
import { Link, Redirect, useSearchParams } from "@/shared/navigation/navigation.tsx";
import { NavBar } from "@/shared/ui/nav-bar.tsx";
import { StatePanel } from "@/shared/ui/state-panel.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";

/**
 * `/searchList?search=` (specification §2). The screen is cached and restored as it was left,
 * including its scroll position; a search made on /search is another list, even with the same term.
 */
export function SearchListScreen() {
  const [params] = useSearchParams();
  const term = searchTerm(params.get("search") ?? "");
  const { count } = useSearchCount();
  const lastCount = useRef(count);
  useTitle(term.trimEnd());
  // After the cached screens have restored this one's scroll position.
  useEffect(() => {
    if (lastCount.current !== count) window.scrollTo({ top: 0, behavior: "instant" });
    lastCount.current = count;
  }, [count]);
  if (!term) return <Redirect to="/search" />;
  return (
    <>
      <NavBar title={term}>
        <Link className="icon-button" to="/search" aria-label="搜索">
          <IconSearch stroke={1.75} aria-hidden="true" />
        </Link>
      </NavBar>
      <div className="list-body">
        <VideoResults
          key={`${count} ${term}`}
          load={(page, signal) => searchVideos(term, page, signal)}
          ratio="search"
          tile={(video, isEager) => <FoundTile video={video} term={term} isEager={isEager} />}
          empty={<NothingFound term={term} />}
          head={(total) => (
            <p className="found-total">
              {total !== null && total > 0 && `找到 ${groupDigits(total)} 个视频`}
            </p>
          )}
        />
      </div>
    </>
  );
}

function NothingFound({ term }: { readonly term: string }) {
  return (
    <>
      <StatePanel
        title="没有找到相关视频"
        text="换个词试试，或者少写几个字。"
        action={
          <Link className="button button-primary" to="/search">
            重新搜索
          </Link>
        }
      />
      <RelatedSearches term={term} />
    </>
  );
}
