import "./unlock-panel.css";
import { IconCheck, IconCopy, IconPhoto, IconRefresh } from "@tabler/icons-react";
import { Suspense, useState } from "react";
import { UnlockTile } from "@/features/share-unlock/unlock-tile.tsx";
import { listShareVideos } from "@/shared/api/list-calls.ts";
import type { Video } from "@/shared/api/model.ts";
import { useConfig } from "@/shared/config/config.ts";
import { showMessage } from "@/shared/messages/message-store.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import { FRESH_MS } from "@/shared/server-state/query-cache.ts";
import { queryKeys } from "@/shared/server-state/query-keys.ts";
import { useQuery } from "@/shared/server-state/use-query.ts";
import { optionalPart } from "@/shared/ui/optional-part.ts";
import { UNLOCK_COUNT } from "@/shared/unlocks/progress.ts";
import { linkAddress, type Unlock } from "./use-unlock.ts";

/** The list of further share videos ends here (specification §9). */
const MORE_CAP = 10;
const FIRST_TILES = 4;

const PosterSheet = optionalPart(
  async () => (await import("./poster-sheet.tsx")).PosterSheet,
  () => showMessage(TEXT.networkError),
);

interface UnlockPanelProps {
  readonly unlock: Unlock;
  /** Null while it is on its way. */
  readonly video: Pick<Video, "id" | "title" | "cover"> | null;
}

/** The visitor's link of a locked video: its purpose, copying it, and checking its progress. */
export function UnlockPanel({ unlock, video }: UnlockPanelProps) {
  // Counts the taps while it is open: one after its code was lost draws it anew.
  const [posterTaps, setPosterTaps] = useState(0);
  const { link, isCopied, isCounting } = unlock;
  return (
    <section className="unlock-panel" aria-label="怎么解锁">
      <h2>怎么解锁</h2>
      <p>复制链接发给朋友。有 {UNLOCK_COUNT} 位不同的朋友打开，这个视频就会解锁。</p>
      <p className="unlock-link" data-pending={!link}>
        {link
          ? linkAddress(link)
          : unlock.isLinkMissing
            ? "链接没有取到，点「刷新」再试一次"
            : "正在取得你的链接…"}
      </p>
      <div className="unlock-actions">
        <button
          type="button"
          className="button button-primary"
          disabled={!link}
          onClick={unlock.copy}
        >
          {isCopied ? (
            <IconCheck size={18} stroke={2} aria-hidden="true" />
          ) : (
            <IconCopy size={18} stroke={2} aria-hidden="true" />
          )}
          {isCopied ? "再次复制" : "复制链接"}
        </button>
        <button
          type="button"
          className={`button ${isCounting ? "is-counting" : ""}`}
          aria-busy={isCounting}
          onClick={unlock.refresh}
        >
          <IconRefresh size={18} stroke={2} aria-hidden="true" />
          刷新
        </button>
        <button
          type="button"
          className="button"
          disabled={!link || !video}
          onClick={() => setPosterTaps(posterTaps + 1)}
        >
          <IconPhoto size={18} stroke={2} aria-hidden="true" />
          保存海报
        </button>
      </div>
      <p className="unlock-count" role="status">
        已有 {unlock.count}/{UNLOCK_COUNT} 位朋友打开
        {isCopied && unlock.count < UNLOCK_COUNT && "，朋友打开后点「刷新」看进度"}
      </p>
      {posterTaps > 0 && link && video && (
        <Suspense>
          <PosterSheet
            key={posterTaps}
            video={video}
            link={linkAddress(link)}
            onClose={() => setPosterTaps(0)}
          />
        </Suspense>
      )}
    </section>
  );
}

interface MoreUnlocksProps {
  readonly id: number;
  readonly suffix: string;
}

/**
 * Other share videos, newest first. A failure is only logged: the page's own video does not depend
 * on it.
 */
export function MoreUnlocks({ id, suffix }: MoreUnlocksProps) {
  const { shareCategory } = useConfig();
  const query = useQuery({
    key: queryKeys.shareVideos(shareCategory),
    load: () => listShareVideos({ type: shareCategory, orderby: "new", page: 1 }),
    freshMs: FRESH_MS,
  });
  const others = query.data?.items.filter((video) => video.id !== id).slice(0, MORE_CAP) ?? [];
  if (query.isError || (query.isSuccess && others.length === 0)) return null;
  return (
    <section className="more-unlocks" aria-label="更多解锁">
      <h2>更多解锁</h2>
      <div className="tile-grid">
        {query.isPending &&
          Array.from({ length: FIRST_TILES }, (_, index) => (
            <span key={index} className="cover cover-grid skeleton" aria-hidden="true" />
          ))}
        {others.map((video) => (
          <UnlockTile key={video.id} video={video} suffix={suffix} />
        ))}
      </div>
    </section>
  );
}
