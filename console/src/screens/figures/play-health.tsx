import { Link } from "@tanstack/react-router";
import type { VideoHealth } from "@/shared/api/types.ts";
import { Badge } from "@/shared/ui/badge.tsx";
import { Empty } from "@/shared/ui/state.tsx";

const PERCENT = 100;

/** Videos that failed or stalled for visitors, most failures first. */
export function PlayHealth({ videos }: { readonly videos: readonly VideoHealth[] }) {
  return (
    <section className="card" aria-labelledby="health">
      <h2 id="health" className="card-title">
        播放不顺
      </h2>
      {videos.length === 0 ? <Empty>没有失败，也没有卡顿</Empty> : null}
      <ul className="rows">
        {videos.map((one) => (
          <li key={one.id}>
            <div className="row-text">
              <Link
                to="/videos/$id"
                params={{ id: String(one.id) }}
                search={{ part: "figures" }}
                className="row-link"
              >
                {one.title}
              </Link>
              <p className="row-meta">
                失败 {one.failures} 次（{(one.share * PERCENT).toFixed(1)}%，{one.failed_networks}{" "}
                个网络），卡顿 {one.stalls} 次，平均等待 {one.mean_wait_ms} 毫秒
              </p>
            </div>
            {one.fails_for_many ? <Badge tone="danger">许多访客失败</Badge> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
