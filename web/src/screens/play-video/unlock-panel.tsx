import { useQuery } from "@tanstack/react-query";
import { listShareVideos } from "@/shared/api/calls.ts";
import { useConfig } from "@/shared/config/config.ts";
import { RowSkeleton, VideoRow } from "./video-row.tsx";

/** Friends who must open the link (specification §4). */
export const UNLOCK_COUNT = 2;
/** The list of further share videos ends here (specification §9). */
const MORE_CAP = 10;
const FIRST_ROWS = 4;

/** What unlocking means, for a video that is still locked. */
export function UnlockPanel() {
  return (
    <section className="unlock-panel" aria-label="怎么解锁">
      <h2>怎么解锁</h2>
      <p>这是分享解锁视频：有 {UNLOCK_COUNT} 位不同的朋友打开你的分享链接，它就会解锁。</p>
    </section>
  );
}

interface MoreUnlocksProps {
  readonly id: number;
  readonly now: number;
  readonly suffix: string;
}

/** Other share videos, the newest first. A failure is logged only: the page's own video does not depend on it. */
export function MoreUnlocks({ id, now, suffix }: MoreUnlocksProps) {
  const { shareCategory } = useConfig();
  const query = useQuery({
    queryKey: ["unlocks", shareCategory],
    queryFn: ({ signal }) => listShareVideos({ type: shareCategory, orderby: "new", page: 1 }, signal),
  });
  const others = query.data?.items.filter((video) => video.id !== id).slice(0, MORE_CAP) ?? [];
  if (query.isError || (query.isSuccess && others.length === 0)) return null;
  return (
    <section className="similar" aria-label="更多解锁">
      <h2>更多解锁</h2>
      {query.isPending && <RowSkeleton count={FIRST_ROWS} />}
      {others.map((video) => (
        <VideoRow key={video.id} video={video} now={now} suffix={suffix} />
      ))}
    </section>
  );
}
