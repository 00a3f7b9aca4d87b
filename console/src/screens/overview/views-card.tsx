import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "@/shared/api/call.ts";
import type { Figures } from "@/shared/api/types.ts";
import { grouped } from "@/shared/format/amount.ts";
import { Bars } from "@/shared/ui/bars.tsx";
import { Loaded } from "@/shared/ui/state.tsx";

const DAYS = 7;

/** How often visitors watched, and what they watched most. */
export function ViewsCard() {
  const figures = useQuery({
    queryKey: ["figures", String(DAYS)],
    queryFn: ({ signal }) =>
      call<Figures>(`/api/figures?days=${DAYS}`, { signal, isBackground: true }),
  });
  return (
    <section className="card" aria-labelledby="views">
      <div className="card-head">
        <h2 id="views" className="card-title">
          播放
        </h2>
        <Link to="/figures" className="button button-small" aria-label="查看数据">
          查看
        </Link>
      </div>
      <Loaded query={figures}>{(data) => <Views figures={data} />}</Loaded>
    </section>
  );
}

function Views({ figures: { statistics } }: { readonly figures: Figures }) {
  const { views_by_day, views_by_hour, top_videos } = statistics;
  const today = views_by_day.at(-1)?.count ?? 0;
  const yesterday = views_by_day.at(-2)?.count ?? 0;
  const most = top_videos.at(0);
  return (
    <>
      <p className="page-lead">
        今天 {grouped(today)} 次，昨天 {grouped(yesterday)} 次（按 UTC）。最近 24 小时：
      </p>
      <Bars counts={views_by_hour} unit="hour" empty="这 24 小时还没有播放" />
      {most ? (
        <p className="row-meta">
          {DAYS} 天里最多：{most.title}，{grouped(most.count)} 次
        </p>
      ) : null}
    </>
  );
}
