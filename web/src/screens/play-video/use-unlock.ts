import { useEffect, useState } from "react";
import { fetchUnlockedPlay, type UnlockedPlay } from "@/player/play-info.ts";
import type { Renewal } from "@/player/playback-state.ts";
import { countShareVisits, makeShareLink, type ShareLink } from "@/shared/api/share-calls.ts";
import { showMessage } from "@/shared/messages/message-store.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import { afterUnlock } from "@/shared/server-state/invalidation.ts";
import { FRESH_MS, type Query, queryCache } from "@/shared/server-state/query-cache.ts";
import { queryKeys } from "@/shared/server-state/query-keys.ts";
import { useQuery } from "@/shared/server-state/use-query.ts";
import { copyText, shareAbilities } from "@/shared/share-link.ts";
import { SHARE_VIDEOS, UUID } from "@/shared/storage/entries.ts";
import { useStored } from "@/shared/storage/use-stored.ts";
import { recordCount } from "@/shared/unlocks/counts.ts";
import { progressOf, UNLOCK_COUNT } from "@/shared/unlocks/progress.ts";

/** The progress of a share video for this visitor, and what follows from it. */
export interface Unlock {
  /**
   * `asking` while an unlocked video's addresses are loading; `open` also for videos without a
   * lock.
   */
  readonly phase: "asking" | "locked" | "open";
  /** Friends who have opened the link, at most as many as it takes. */
  readonly count: number;
  /** Null until the server has answered. */
  readonly link: ShareLink | null;
  readonly isLinkMissing: boolean;
  readonly isCopied: boolean;
  readonly isCounting: boolean;
  readonly play: UnlockedPlay | null;
  readonly renewal: Renewal | null;
  readonly copy: () => void;
  readonly refresh: () => void;
}

/** The address that a visitor sends to friends. */
export const linkAddress = ({ path }: ShareLink): string =>
  new URL(path, window.location.href).href;

/**
 * Unlocking a video through its link (specification §4): the server counts and decides; the stored
 * count is only for display.
 *
 * @param isShare - whether the video is unlocked by sharing; false until that is known.
 */
export function useUnlock(id: number, isShare: boolean): Unlock {
  const { count, isUnlocked } = progressOf(id, true, useStored(SHARE_VIDEOS));
  const code = useStored(UUID);
  const [isCopied, setCopied] = useState(false);
  const link = useQuery(
    {
      key: queryKeys.shareLink(code, id),
      load: async () => {
        const response = await makeShareLink(id);
        recordCount(id, response.count);
        return response;
      },
      freshMs: 0,
    },
    { isEnabled: isShare },
  );
  const encodedId = link.data?.encodedId ?? "";
  const check = useQuery(
    {
      key: queryKeys.shareVisits(encodedId),
      load: async () => {
        const visits = await countShareVisits(encodedId);
        recordCount(id, visits);
        if (visits >= UNLOCK_COUNT) afterUnlock(code, id);
        return visits;
      },
      freshMs: 0,
    },
    { isEnabled: false },
  );
  // Requested at once if the stored count says so: the server refuses if it knows better.
  const unlocked: Query<UnlockedPlay> = {
    key: queryKeys.unlockedPlay(code, id),
    load: () => fetchUnlockedPlay(id),
    freshMs: FRESH_MS,
  };
  const play = useQuery(unlocked, { isEnabled: isShare && isUnlocked });
  const isOpen = !isShare || Boolean(play.data);
  const recount = async () => {
    const isAnswered = await (encodedId ? check.refetch() : link.refetch());
    if (!isAnswered) showMessage(TEXT.networkError);
  };
  useReturn(isShare && !isOpen && encodedId !== "", () => void check.refetch());

  const phase = isOpen ? "open" : isUnlocked && play.isFetching ? "asking" : "locked";
  useUnlockedMessage(isOpen, phase === "locked" && link.isSuccess);

  const copy = async () => {
    if (!link.data) return;
    const isDone = await copyText(linkAddress(link.data), shareAbilities());
    showMessage(isDone ? TEXT.linkCopied : TEXT.linkCopyFailed);
    if (!isDone) return;
    setCopied(true);
    await check.refetch();
  };
  const renew = () => queryCache.fetch(unlocked);
  return {
    phase,
    count,
    link: link.data ?? null,
    isLinkMissing: link.isError,
    isCopied,
    isCounting: check.isFetching || link.isFetching,
    play: isShare ? (play.data ?? null) : null,
    renewal: play.data ? { expiresAt: play.data.expiresAt, renew } : null,
    copy: () => void copy(),
    refresh: () => void recount(),
  };
}

/** A visitor who returns from a chat sees at once whether a friend has opened the link. */
function useReturn(isWaiting: boolean, onReturn: () => void): void {
  useEffect(() => {
    if (!isWaiting) return;
    const look = () => {
      if (document.visibilityState === "visible") onReturn();
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  });
}

/** Shows a message when a video opens that was shown locked. */
function useUnlockedMessage(isOpen: boolean, isLocked: boolean): void {
  const [wasLocked, setWasLocked] = useState(false);
  if (isLocked && !wasLocked) setWasLocked(true);
  const isNew = isOpen && wasLocked;
  useEffect(() => {
    if (isNew) showMessage("解锁成功，可以观看了");
  }, [isNew]);
}
