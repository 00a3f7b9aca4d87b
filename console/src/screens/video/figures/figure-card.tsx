import { useQuery } from "@tanstack/react-query";
import { call } from "@/shared/api/call.ts";
import type { VideoFigures } from "@/shared/api/types.ts";
import { Badge } from "@/shared/ui/badge.tsx";
import { Bars } from "@/shared/ui/bars.tsx";
import { Loaded } from "@/shared/ui/state.tsx";
import { Tiles } from "@/shared/ui/tiles.tsx";

const PERCENT = 100;
const MS = 1000;

/** What visitors did with a video, and how it played, without anybody's identity. */
export function FigureCard({ id }: { readonly id: number }) {
  const figures = useQuery({
    queryKey: ["video-figures", id],
    queryFn: ({ signal }) => call<VideoFigures>(`/api/videos/${id}/figures`, { signal }),
  });
  return <Loaded query={figures}>{(data) => <Figures figures={data} />}</Loaded>;
}

function Figures({ figures }: { readonly figures: VideoFigures }) {
  const { days, views_by_day, failures_by_day } = figures;
  const total = views_by_day.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <section className="card" aria-labelledby="plays">
        <h2 id="plays" className="card-title">
          播放
        </h2>
        <Tiles
          label="播放的总数"
          tiles={[
            { name: "累计播放", value: figures.views },
            { name: `${days} 天播放`, value: total },
            { name: "收藏", value: figures.favourites },
            { name: "分享的链接", value: figures.shares },
            { name: "分享带来的访问", value: figures.share_visits },
            ...(figures.unlocks === null ? [] : [{ name: "已解锁的访客", value: figures.unlocks }]),
            { name: "被举报", value: figures.reports },
          ]}
        />
        <Bars counts={views_by_day} unit="day" empty={`这 ${days} 天还没有播放`} />
      </section>
      <section className="card" aria-labelledby="faults">
        <div className="card-head">
          <h2 id="faults" className="card-title">
            播放失败
          </h2>
          {figures.fails_for_many ? <Badge tone="danger">许多访客失败</Badge> : null}
        </div>
        <Tiles
          label="播放的状况"
          tiles={[
            { name: "成功开始", value: figures.starts },
            { name: "失败", value: figures.failures },
            { name: "失败率", value: shareOf(figures) },
            { name: "失败的网络", value: figures.failed_networks },
            { name: "卡顿", value: figures.stalls },
            { name: "平均等待", value: `${(figures.mean_wait_ms / MS).toFixed(1)} 秒` },
          ]}
        />
        <Bars
          counts={failures_by_day}
          unit="day"
          name="失败"
          empty={`这 ${days} 天没有人播放失败`}
        />
      </section>
      <p className="row-meta">
        播放失败的数字是最近 {days} 天的。日期按 UTC。只有次数，没有任何访客的身份。
      </p>
    </>
  );
}

function shareOf({ starts, failures }: VideoFigures): string {
  const tries = starts + failures;
  return tries === 0 ? "—" : `${((PERCENT * failures) / tries).toFixed(1)}%`;
}
