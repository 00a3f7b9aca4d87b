import "./find.css";
import { type ComponentType, Suspense, useEffect } from "react";
import { Placeholders } from "@/features/list/paged-items.tsx";
import { SwipePanes } from "@/features/list/swipe-panes.tsx";
import { RankRowSkeleton } from "@/features/rank/rank-row.tsx";
import { Link, useLocation, useNavigate } from "@/shared/navigation/navigation.tsx";
import { FIND_TAB } from "@/shared/storage/entries.ts";
import { write } from "@/shared/storage/registry.ts";
import { useTitle } from "@/shared/ui/use-title.ts";
import { ViewCache } from "@/shared/ui/view-cache.tsx";

/** Most tab pages alive at once (specification §9). */
const MAX_CACHED_TABS = 20;

const TABS = [
  { key: "artist", name: "女优" },
  { key: "rank", name: "排行" },
  { key: "tags", name: "分类" },
] as const;

/** Keys of the tabs; each is the last part of its address. */
export type FindTab = (typeof TABS)[number]["key"];

interface FindScreenProps {
  /** The page of each tab. */
  readonly pages: Readonly<Record<FindTab, ComponentType>>;
}

/**
 * `/find` and its tabs (specification §2): it opens the tab of the last visit, and restores each as
 * it was left.
 */
export function FindScreen({ pages }: FindScreenProps) {
  const location = useLocation();
  const navigate = useNavigate();
  const index = TABS.findIndex(({ key }) => location.pathname.startsWith(`/find/${key}`));
  const tab = TABS[index];
  useTitle(tab ? `发现${tab.name}` : "发现");
  useEffect(() => {
    if (tab) write(FIND_TAB, tab.key);
  }, [tab]);
  if (!tab) return null; // `redirectOf` redirects from /find only.

  const Page = pages[tab.key];
  const go = (to: number) => TABS[to] && navigate(`/find/${TABS[to].key}`, { replace: true });
  return (
    <>
      <header className="find-head">
        <h1 className="sr-only">发现</h1>
        <nav className="find-tabs" aria-label="发现">
          {TABS.map(({ key, name }) => (
            <Link
              key={key}
              to={`/find/${key}`}
              replace
              aria-current={key === tab.key ? "page" : undefined}
            >
              {name}
            </Link>
          ))}
        </nav>
      </header>
      <SwipePanes index={index} count={TABS.length} onChange={go} preview={<Preview />}>
        <ViewCache
          activeKey={tab.key}
          location={location}
          element={
            <Suspense fallback={<Preview />}>
              <Page />
            </Suspense>
          }
          isCached
          limit={MAX_CACHED_TABS}
        />
      </SwipePanes>
    </>
  );
}

function Preview() {
  return (
    <div className="list-body">
      <Placeholders count={8} className="chunk-ranks" skeleton={<RankRowSkeleton />} />
    </div>
  );
}
