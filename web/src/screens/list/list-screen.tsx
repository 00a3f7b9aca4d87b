import "./list-screen.css";
import { IconLayoutGrid, IconLayoutList, IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import {
  type CategoryTab,
  categoryName,
  categoryTabs,
  useCategories,
} from "@/features/list/categories.ts";
import { CategoryStrip } from "@/features/list/category-strip.tsx";
import { SwipePanes } from "@/features/list/swipe-panes.tsx";
import { type ListLayout, VideoResults } from "@/features/list/video-results.tsx";
import { listAds, listVideos } from "@/shared/api/list-calls.ts";
import type { Ad, Video } from "@/shared/api/model.ts";
import { SORT_ORDERS, type SortOrder } from "@/shared/api/sort-orders.gen.ts";
import { useConfig } from "@/shared/config/config.ts";
import { groupDigits } from "@/shared/format/count.ts";
import { type ListQuery, listQuery, readListQuery } from "@/shared/list-address.ts";
import { Link, useSearchParams } from "@/shared/navigation/navigation.tsx";
import type { LoadPage } from "@/shared/server-state/paged-list.ts";
import { queryKeys } from "@/shared/server-state/query-keys.ts";
import { useQuery } from "@/shared/server-state/use-query.ts";
import { useClientStore } from "@/shared/store/client-store.ts";
import { NavBar } from "@/shared/ui/nav-bar.tsx";
import { Segments } from "@/shared/ui/segments.tsx";
import { StatePanel } from "@/shared/ui/state-panel.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";
import { ListPlaceholders } from "./list-skeleton.tsx";

const NO_ADS: readonly Ad[] = [];

/**
 * `/list?typeId&orderby` (specification §2): the videos of a category; its neighbours are one swipe
 * away.
 */
export function ListScreen() {
  const [params, setParams] = useSearchParams();
  const query = readListQuery(params);
  const config = useConfig();
  const tabs = categoryTabs(useCategories(), [config.shortCategory, config.shareCategory]);
  const [layout, setLayout] = useState<ListLayout>("grid");
  const [found, setFound] = useState<CategoryTab>();
  const name = categoryName(query.typeId, tabs, config, found);
  useTitle(name);

  const go = (next: ListQuery) => {
    if (listQuery(next) !== listQuery(query)) setParams(listQuery(next), { replace: true });
  };
  const goTo = (typeId: number | undefined) => typeId !== undefined && go({ ...query, typeId });
  return (
    <>
      <NavBar title={name}>
        <Link className="icon-button" to="/search" aria-label="搜索">
          <IconSearch stroke={1.75} aria-hidden="true" />
        </Link>
      </NavBar>
      <CategoryStrip categories={tabs} activeId={query.typeId} onChange={goTo} />
      <SwipePanes
        index={Math.max(
          0,
          tabs.findIndex(({ id }) => id === query.typeId),
        )}
        count={tabs.length}
        onChange={(index) => goTo(tabs[index]?.id)}
        preview={<ListPlaceholders layout={layout} />}
      >
        <CategoryList
          key={listQuery(query)}
          query={query}
          layout={layout}
          onLayout={setLayout}
          onFound={setFound}
          onOrder={(orderby) => go({ ...query, orderby })}
        />
      </SwipePanes>
    </>
  );
}

interface CategoryListProps {
  readonly query: ListQuery;
  readonly layout: ListLayout;
  readonly onLayout: (layout: ListLayout) => void;
  /** Hears what the list's videos say of their category. */
  readonly onFound: (category: CategoryTab) => void;
  readonly onOrder: (order: SortOrder) => void;
}

function CategoryList({ query, layout, onLayout, onFound, onOrder }: CategoryListProps) {
  const { typeId, orderby } = query;
  const load: LoadPage<Video> = async (page, signal, place) => {
    const answer = await listVideos(typeId, { orderby, page, ...place }, signal);
    const [first] = answer.items;
    if (first?.categoryId === typeId) onFound({ id: typeId, name: first.categoryName });
    return answer;
  };
  const ads = useListAds(layout === "rows");
  const isGrid = layout === "grid";
  const LayoutIcon = isGrid ? IconLayoutList : IconLayoutGrid;
  return (
    <div className="list-body">
      <VideoResults
        load={load}
        layout={layout}
        ads={ads}
        empty={<EmptyCategory />}
        head={(total) => (
          <div className="list-head">
            <Segments label="排序" options={SORT_ORDERS} value={orderby} onChange={onOrder} />
            <span className="list-total">
              {total !== null && `共 ${groupDigits(total)} 个视频`}
            </span>
            <button
              type="button"
              className="icon-button"
              aria-label={isGrid ? "切换为列表" : "切换为宫格"}
              onClick={() => onLayout(isGrid ? "rows" : "grid")}
            >
              <LayoutIcon size={20} stroke={1.75} aria-hidden="true" />
            </button>
          </div>
        )}
      />
    </div>
  );
}

function EmptyCategory() {
  return (
    <StatePanel
      title="这里还没有视频"
      text="换个分类看看，或者稍后再来。"
      action={
        <Link className="button button-primary" to="/home">
          回到首页
        </Link>
      }
    />
  );
}

/**
 * Advertisements between the rows; none in the grid, and none where they are switched off. A
 * failure is logged only.
 */
function useListAds(isWanted: boolean): readonly Ad[] {
  const isShowAd = useClientStore((state) => state.isShowAd);
  const { data } = useQuery(
    { key: queryKeys.ads("LIST"), load: () => listAds("LIST") },
    { isEnabled: isWanted && isShowAd },
  );
  return (isShowAd && data) || NO_ADS;
}
