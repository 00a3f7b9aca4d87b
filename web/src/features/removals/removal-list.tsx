import "./removals.css";
import { get } from "@/shared/api/get.ts";
import type { Page } from "@/shared/api/model.ts";
import type { GetAnswer } from "@/shared/api/wire.ts";
import { usePagedList } from "@/shared/server-state/use-paged-list.ts";
import { StatePanel } from "@/shared/ui/state-panel.tsx";

type WirePage = GetAnswer<"/api/removals">;

/** A video that was taken down. */
type Removal = WirePage["data"][number];

async function loadRemovals(page: number, signal?: AbortSignal): Promise<Page<Removal>> {
  const wire = await get("/api/removals", { query: { page } }, signal);
  return {
    items: wire.data,
    hasNext: Boolean(wire.next_page_url),
    total: wire.total,
    perPage: wire.per_page,
  };
}

const DAY = new Intl.DateTimeFormat("zh-CN", { dateStyle: "long" });

/** What the operator took down: when, why, and the title where he tells it. */
export function RemovalList() {
  const [list, { items, status, total }] = usePagedList<Removal>(loadRemovals);
  if (status === "finished" && items.length === 0)
    return <StatePanel title="还没有下架过视频" text="以后有永久下架的视频，会列在这里。" />;
  return (
    <div className="removal-body" aria-busy={status === "loading"}>
      <p className="removal-lead">
        这里列出永久下架的视频和原因。{total ? `共 ${total} 个。` : ""}不公开举报人的任何信息。
      </p>
      <ul className="removal-list" aria-label="下架的视频">
        {items.map(({ number, removed_at, reason, title }) => (
          <li key={number}>
            <time dateTime={removed_at}>{DAY.format(new Date(removed_at))}</time>
            {title && <h2>{title}</h2>}
            <p>{reason}</p>
          </li>
        ))}
      </ul>
      {status === "error" && (
        <button type="button" className="button" onClick={() => void list.loadNext()}>
          请求失败，点击我重新加载
        </button>
      )}
      {status === "idle" && items.length > 0 && (
        <button type="button" className="button" onClick={() => void list.loadNext()}>
          看更早的
        </button>
      )}
    </div>
  );
}
