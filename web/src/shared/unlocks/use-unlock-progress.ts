import { useEffect } from "react";
import type { Video } from "@/shared/api/model.ts";
import { listShareCounts } from "@/shared/api/share-calls.ts";
import { SHARE_VIDEOS } from "@/shared/storage/entries.ts";
import { visitorCode } from "@/shared/storage/identity.ts";
import { useStored } from "@/shared/storage/use-stored.ts";
import { whenIdle } from "@/shared/when-idle.ts";
import { recordServersCounts } from "./counts.ts";
import { progressOf, type UnlockProgress } from "./progress.ts";

/** How long the server's counts hold for marks, in milliseconds; the page of a video asks for its own. */
const FRESH_MS = 60_000;

let asked: { readonly code: string; readonly at: number } | null = null;

/** Ask how far the visitor's videos are, unless that was asked a moment ago. A failure is logged only. */
function refreshCounts(): void {
  const code = visitorCode();
  if (asked?.code === code && performance.now() - asked.at < FRESH_MS) return;
  asked = { code, at: performance.now() };
  whenIdle(() => void listShareCounts().then(recordServersCounts, (error: unknown) => console.warn(error)));
}

/** How far a video is. Whatever draws a lock asks the server when it is first shown. */
export function useUnlockProgress({ id, isLocked }: Pick<Video, "id" | "isLocked">): UnlockProgress {
  const counts = useStored(SHARE_VIDEOS);
  useEffect(() => {
    if (isLocked) refreshCounts();
  }, [isLocked]);
  return progressOf(id, isLocked, counts);
}
