import "@/screens/videos/videos.css";
import { IconTrash } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { includes, useMe } from "@/features/session/me.ts";
import { filterOf, listOf, queryOf, type Search } from "@/features/videos/search.ts";
import { BulkBar } from "@/screens/videos/bulk-bar.tsx";
import { FilterBar } from "@/screens/videos/filter-bar.tsx";
import { useKeptPlace } from "@/screens/videos/kept-place.ts";
import { VideoTable } from "@/screens/videos/video-table.tsx";
import { call } from "@/shared/api/call.ts";
import type { VideoPage } from "@/shared/api/types.ts";
import { count } from "@/shared/format/count.ts";
import { Empty, Loaded } from "@/shared/ui/state.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";

const route = getRouteApi("/shell/videos");

/** All videos: found by filter and order, changed many at once. */
export function VideosScreen() {
  const me = useMe();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isBin = search.state === "removed";
  useTitle(isBin ? "回收站" : "视频");
  const [selected, setSelected] = useState<Record<string, boolean>>({});
  const videos = useInfiniteQuery({
    queryKey: ["videos", listOf(search)],
    queryFn: ({ pageParam, signal }) =>
      call<VideoPage>(`/api/videos?${queryOf(search, pageParam)}`, { signal }),
    initialPageParam: "",
    getNextPageParam: (last) => last.next_after,
    placeholderData: keepPreviousData,
  });
  const choose = (changed: Search) => {
    setSelected({});
    void navigate({ search: (before) => ({ ...listOf(before), ...changed }), replace: true });
  };
  const showMore = useKeptPlace(videos, search.pages ?? 1, (pages) => {
    void navigate({
      search: (before) => ({ ...before, pages }),
      replace: true,
      resetScroll: false,
    });
  });
  const mayEdit = me !== undefined && includes(me.role, "editor");
  return (
    <div className="page">
      <header className="page-head">
        <h1 className="page-title">{isBin ? "回收站" : "视频"}</h1>
        {videos.data ? (
          <p className="page-lead videos-total" role="status">
            共 {count(videos.data.pages[0]?.total ?? 0)} 个
          </p>
        ) : null}
        <Link
          to="/videos"
          search={isBin ? {} : { state: "removed" }}
          className="button button-small"
          onClick={() => {
            setSelected({});
          }}
        >
          {isBin ? (
            "全部视频"
          ) : (
            <>
              <IconTrash size={18} stroke={1.75} aria-hidden="true" />
              回收站
            </>
          )}
        </Link>
      </header>
      {isBin ? <p className="page-lead">移入 30 天后自动彻底删除，之前都可以恢复。</p> : null}
      <FilterBar search={search} onChange={choose} />
      <Loaded query={videos}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          if (rows.length === 0) return <NoVideos search={search} mayEdit={mayEdit} />;
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
                  onClick={showMore}
                >
                  {videos.isFetchingNextPage ? "正在加载…" : "显示更多"}
                </button>
              ) : null}
              {videos.isFetchNextPageError ? (
                <p className="field-fault" role="alert">
                  {videos.error?.message}
                </p>
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

/** Nothing found, nothing in the bin, or nothing at all: then what comes first. */
function NoVideos({ search, mayEdit }: { readonly search: Search; readonly mayEdit: boolean }) {
  const { state, ...rest } = filterOf(search);
  if (Object.keys(rest).length > 0 || (state && state !== "removed"))
    return <Empty>没有符合条件的视频</Empty>;
  if (state) return <Empty>回收站是空的</Empty>;
  return (
    <div className="state">
      <p>还没有视频。</p>
      <p className="page-lead">在这里上传，或在服务器上执行 liuying import 文件夹。</p>
      {mayEdit ? (
        <Link to="/uploads" className="button button-small button-primary">
          上传视频
        </Link>
      ) : null}
    </div>
  );
}
