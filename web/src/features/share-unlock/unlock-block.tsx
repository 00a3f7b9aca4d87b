import "@/shared/ui/tiles/tile-strip.css";
import "./unlock-tile.css";
import { listShareVideos } from "@/shared/api/list-calls.ts";
import { useConfig } from "@/shared/config/config.ts";
import { listAddress } from "@/shared/list-address.ts";
import { queryKeys } from "@/shared/server-state/query-keys.ts";
import { useQuery } from "@/shared/server-state/use-query.ts";
import { BlockHead, MoreLink } from "@/shared/ui/tiles/block-head.tsx";
import { UNLOCK_COUNT } from "@/shared/unlocks/progress.ts";
import { UnlockTile } from "./unlock-tile.tsx";

/** The four newest (specification §9). */
const SHOWN = 4;

/**
 * Videos that sharing unlocks. Loaded separately; after a failure, which is only logged, the block
 * is missing.
 */
export function UnlockBlock() {
  const { shareCategory } = useConfig();
  const { data } = useQuery({
    key: queryKeys.shareVideos(shareCategory),
    load: () => listShareVideos({ type: shareCategory, orderby: "new", page: 1 }),
  });
  if (!data || data.items.length === 0) return null;
  return (
    <section aria-label="解锁专区">
      <BlockHead title="解锁专区" note={`分享给 ${UNLOCK_COUNT} 位朋友即可观看`}>
        <MoreLink to={listAddress(shareCategory)} label="解锁专区" />
      </BlockHead>
      <div className="tile-strip">
        {data.items.slice(0, SHOWN).map((video) => (
          <UnlockTile key={video.id} video={video} />
        ))}
      </div>
    </section>
  );
}
