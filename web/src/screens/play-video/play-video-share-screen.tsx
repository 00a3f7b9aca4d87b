import { useEffect } from "react";
import { ApiError } from "@/shared/api/client.ts";
import { countShareVisits } from "@/shared/api/share-calls.ts";
import { useSearchParams } from "@/shared/navigation/navigation.tsx";
import { FRESH_MS } from "@/shared/server-state/query-cache.ts";
import { queryKeys } from "@/shared/server-state/query-keys.ts";
import { useQuery } from "@/shared/server-state/use-query.ts";
import { MissingPage, VideoPage } from "./play-video-screen.tsx";
import { afterVisible, recordOnce, VISIBLE_MS, videoOfShare } from "./share-visit.ts";

const MISSING = 404;

/** `/playVideoShare?id=` (specification §2): the page of the video whose link was opened. */
export function PlayVideoShareScreen() {
  const [params] = useSearchParams();
  const encodedId = params.get("id") ?? "";
  const videoId = videoOfShare(encodedId);
  if (videoId === null) return <MissingPage />;
  return <SharedPage key={encodedId} encodedId={encodedId} videoId={videoId} />;
}

/** Drawn at once; a link that was not made here gives way as soon as the server has said so. */
function SharedPage({
  encodedId,
  videoId,
}: {
  readonly encodedId: string;
  readonly videoId: number;
}) {
  const query = useQuery({
    key: queryKeys.openedShare(encodedId),
    load: () => countShareVisits(encodedId),
    freshMs: FRESH_MS,
  });
  const isGenuine = query.isSuccess;
  useEffect(() => {
    if (!isGenuine) return;
    return afterVisible(VISIBLE_MS, () => recordOnce(encodedId));
  }, [isGenuine, encodedId]);
  if (query.error instanceof ApiError && query.error.code === MISSING) return <MissingPage />;
  return <VideoPage id={videoId} isSpared={false} />;
}
