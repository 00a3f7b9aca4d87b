import "@/screens/videos/videos.css";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { includes, useMe } from "@/features/session/me.ts";
import { queryOf, type Search } from "@/features/videos/search.ts";
import { BulkBar } from "@/screens/videos/bulk-bar.tsx";
import { FilterBar } from "@/screens/videos/filter-bar.tsx";
import { VideoTable } from "@/screens/videos/video-table.tsx";
import { call } from "@/shared/api/call.ts";
import type { VideoPage } from "@/shared/api/types.ts";
import { count } from "@/shared/format/count.ts";
import { Empty, Loaded } from "@/shared/ui/state.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";

const route = getRouteApi("/shell/videos");

/** All videos: found by filter and order, changed many at once. */
export function VideosScreen() {
  useTitle("视频");
  const me = useMe();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [selected, setSelected] = useState<Record<string, boolean>>({});
  const videos = useInfiniteQuery({
    queryKey: ["videos", search],
    queryFn: ({ pageParam, signal }) =>
      call<VideoPage>(`/api/videos?${queryOf(search, pageParam)}`, { signal }),
    initialPageParam: "",
    getNextPageParam: (last) => last.next_after,
    placeholderData: keepPreviousData,
  });
  const choose = (changed: Search) => {
    setSelected({});
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  };
  const mayEdit = me !== undefined && includes(me.role, "editor");
  return (
    <div className="page">
      <header className="page-head">
        <h1 className="page-title">视频</h1>
        {videos.data ? (
          <p className="page-lead" role="status">
            共 {count(videos.data.pages[0]?.total ?? 0)} 个
          </p>
        ) : null}
      </header>
      <FilterBar search={search} onChange={choose} />
      <Loaded query={videos}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          if (rows.length === 0) return <Empty>没有符合条件的视频</Empty>;
          return (
            <>
              <VideoTable
                rows={rows}
                search={search}
                onSort={choose}
                selected={mayEdit ? selected : null}
                onSelect={setSelected}
              />
              {videos.hasNextPage ? (
                <button
                  type="button"
                  className="button button-small"
                  disabled={videos.isFetchingNextPage}
                  onClick={() => {
                    void videos.fetchNextPage();
                  }}
                >
                  显示更多
                </button>
              ) : null}
              <BulkBar
                selected={Object.keys(selected).filter((id) => selected[id])}
                total={pages[0]?.total ?? 0}
                search={search}
                onDone={() => {
                  setSelected({});
                }}
              />
            </>
          );
        }}
      </Loaded>
    </div>
  );
}
