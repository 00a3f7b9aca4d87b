import { useEffect } from "react";
import type { Video } from "@/shared/api/model.ts";
import { SHARE_VIDEOS } from "@/shared/storage/entries.ts";
import { useStored } from "@/shared/storage/use-stored.ts";
import { whenIdle } from "@/shared/when-idle.ts";
import { progressOf, type UnlockProgress } from "./progress.ts";

/** The progress of a video. Whatever draws a lock asks the server when it is first shown. */
export function useUnlockProgress({
  id,
  isLocked,
}: Pick<Video, "id" | "isLocked">): UnlockProgress {
  const counts = useStored(SHARE_VIDEOS);
  useEffect(() => {
    if (isLocked)
      whenIdle(() => void import("./refresh.ts").then(({ refreshCounts }) => refreshCounts()));
  }, [isLocked]);
  return progressOf(id, isLocked, counts);
}
