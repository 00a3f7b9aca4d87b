import { useEffect } from "react";
import { ApiError } from "@/shared/api/client.ts";
import { countShareVisits } from "@/shared/api/share-calls.ts";
import { useSearchParams } from "@/shared/navigation/navigation.tsx";
import { FRESH_MS } from "@/shared/server-state/query-cache.ts";
import { queryKeys } from "@/shared/server-state/query-keys.ts";
import { useQuery } from "@/shared/server-state/use-query.ts";
import { MissingPage, VideoPage } from "./play-video-screen.tsx";
import {
  afterVisible,
  type OpenedShare,
  readShare,
  recordOnce,
  VISIBLE_MS,
} from "./share-visit.ts";

const MISSING = 404;

/**
 * `/playVideoShare?id=` (specification §2): the page of the video whose link, or whose tile in a
 * list, was opened.
 */
export function PlayVideoShareScreen() {
  const [params] = useSearchParams();
  const encodedId = params.get("id") ?? "";
  const share = readShare(encodedId);
  if (share === null) return <MissingPage />;
  return (
    <SharedPage
      key={encodedId}
      encodedId={encodedId}
      share={share}
      isSpared={params.get("ad_show") === "no"}
    />
  );
}

interface SharedPageProps {
  readonly encodedId: string;
  readonly share: OpenedShare;
  /** The visitor is spared advertisements (`ad_show=no`). */
  readonly isSpared: boolean;
}

/** Drawn at once; replaced if the server says that the link was not made here. */
function SharedPage({ encodedId, share, isSpared }: SharedPageProps) {
  const query = useQuery({
    key: queryKeys.openedShare(encodedId),
    load: () => countShareVisits(encodedId),
    freshMs: FRESH_MS,
  });
  const isMissing = query.error instanceof ApiError && query.error.code === MISSING;
  // Counted whether or not the question above was answered: the server looks at the link itself.
  const isVisit = share.hasSharer && !isMissing;
  useEffect(() => {
    if (!isVisit) return;
    return afterVisible(VISIBLE_MS, () => recordOnce(encodedId));
  }, [isVisit, encodedId]);
  if (isMissing) return <MissingPage />;
  return <VideoPage id={share.videoId} isSpared={isSpared} />;
}
