import "@/screens/figures/figures.css";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { PlayHealth } from "@/screens/figures/play-health.tsx";
import { Ranking } from "@/screens/figures/ranking.tsx";
import { StorageTable } from "@/screens/figures/storage-table.tsx";
import { call } from "@/shared/api/call.ts";
import type { Figures } from "@/shared/api/types.ts";
import { Bars } from "@/shared/ui/bars.tsx";
import { Choice } from "@/shared/ui/choice.tsx";
import { Loaded } from "@/shared/ui/state.tsx";
import { Tiles } from "@/shared/ui/tiles.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";

const PERIODS = [
  { value: "1", name: "今天" },
  { value: "7", name: "7 天" },
  { value: "30", name: "30 天" },
] as const;

type Period = (typeof PERIODS)[number]["value"];

/** What visitors did: sums by hour, day and video, and nobody's identity. */
export function FiguresScreen() {
  useTitle("数据");
  const [days, setDays] = useState<Period>("7");
  const figures = useQuery({
    queryKey: ["figures", days],
    queryFn: ({ signal }) => call<Figures>(`/api/figures?days=${days}`, { signal }),
  });
  return (
    <div className="page">
      <header className="page-head">
        <h1 className="page-title">数据</h1>
        <Choice label="时间" options={PERIODS} value={days} onChange={setDays} />
      </header>
      <Loaded query={figures}>{(data) => <Sums figures={data} />}</Loaded>
    </div>
  );
}

function Sums({ figures: { statistics, storage } }: { readonly figures: Figures }) {
  const { totals, days, views_by_day, views_by_hour, top_videos, top_favourites } = statistics;
  const yesterday = views_by_day.at(-2)?.count;
  return (
    <>
      <Tiles
        label="总数"
        tiles={[
          { name: days === 1 ? "今天播放" : `${days} 天播放`, value: totals.views_in_period },
          ...(yesterday === undefined ? [] : [{ name: "昨天播放", value: yesterday }]),
          { name: "累计播放", value: totals.views },
          { name: "视频", value: totals.videos },
          { name: "有数据码的访客", value: totals.visitors },
          { name: "收藏", value: totals.favourites },
          { name: "分享带来的访问", value: totals.share_visits },
        ]}
      />
      <section className="card" aria-labelledby="by-hour">
        <h2 id="by-hour" className="card-title">
          最近 24 小时的播放
        </h2>
        <Bars counts={views_by_hour} unit="hour" empty="这 24 小时还没有播放" />
      </section>
      {days > 1 ? (
        <section className="card" aria-labelledby="by-day">
          <h2 id="by-day" className="card-title">
            每天的播放
          </h2>
          <Bars counts={views_by_day} unit="day" empty="这段时间还没有播放" />
        </section>
      ) : null}
      <div className="pairs">
        <Ranking title="播放最多" empty="这段时间还没有播放" counts={top_videos} />
        <Ranking title="收藏最多" empty="这段时间还没有收藏" counts={top_favourites} />
        <PlayHealth videos={statistics.health} />
        <StorageTable storage={storage} />
      </div>
      <p className="page-lead">
        日期按 UTC，钟点按这个浏览器的时区。只有次数，没有任何访客的身份。
      </p>
    </>
  );
}
