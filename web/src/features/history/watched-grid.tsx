import { useRef } from "react";
import type { Video } from "@/shared/api/model.ts";
import { showMessage } from "@/shared/messages/message-store.ts";
import { CollectTile } from "@/shared/ui/collect/collect-tile.tsx";
import { useFlip } from "@/shared/ui/collect/use-flip.ts";
import { removeWatched, SHOWN_WATCHED } from "./watched.ts";

/**
 * The recently watched videos; each can be removed, and restored as long as the message is shown.
 */
export function WatchedGrid({ videos }: { readonly videos: readonly Video[] }) {
  const grid = useRef<HTMLDivElement>(null);
  const shown = videos.slice(0, SHOWN_WATCHED);
  useFlip(grid, shown.length);
  const remove = (video: Video) =>
    showMessage("已移除 1 条记录", { label: "撤销", run: removeWatched(video) });
  return (
    <>
      <div ref={grid} className="collect-grid">
        {shown.map((video) => (
          <CollectTile key={video.id} video={video} onRemove={() => remove(video)} />
        ))}
      </div>
      <p className="collect-foot">仅显示最近 {SHOWN_WATCHED} 条</p>
    </>
  );
}
