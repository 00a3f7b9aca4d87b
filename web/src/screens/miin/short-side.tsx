import "./short-side.css";
import {
  IconHeartFilled,
  IconMessageCircleFilled,
  IconShare3,
  IconVolume,
  IconVolumeOff,
} from "@tabler/icons-react";
import { showMessage } from "@/shared/messages/message-store.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import { shareAbilities, shareLink } from "@/shared/share-link.ts";
import type { FeedItem } from "./feed-items.ts";

interface ShortSideProps {
  readonly item: FeedItem;
  readonly isMuted: boolean;
  readonly onMuted: (isMuted: boolean) => void;
}

/** Comments and favourites of shorts are announced only (specification §2, §8). */
export function announceComing(): void {
  showMessage(TEXT.comingSoon);
}

/** Actions on the current clip; for an advertisement only those that do not concern the clip. */
export function ShortSide({ item, isMuted, onMuted }: ShortSideProps) {
  const Sound = isMuted ? IconVolumeOff : IconVolume;
  return (
    <div className="short-side">
      {item.kind === "video" && (
        <>
          <button type="button" onClick={announceComing}>
            <IconHeartFilled size={32} aria-hidden="true" />
            收藏
          </button>
          <button type="button" onClick={announceComing}>
            <IconMessageCircleFilled size={32} aria-hidden="true" />
            评论
          </button>
          <button type="button" onClick={() => void share(item.title, item.id)}>
            <IconShare3 size={32} stroke={1.75} aria-hidden="true" />
            分享
          </button>
        </>
      )}
      <button
        type="button"
        aria-label={isMuted ? "打开声音" : "关闭声音"}
        onClick={() => onMuted(!isMuted)}
      >
        <Sound size={32} stroke={1.75} aria-hidden="true" />
        {isMuted ? "静音" : "声音"}
      </button>
    </div>
  );
}

async function share(title: string, id: number): Promise<void> {
  const url = new URL(`/playVideo?id=${id}`, window.location.href).href;
  const result = await shareLink(title, url, shareAbilities());
  if (result === "copied") showMessage(TEXT.linkCopied);
  if (result === "failed") showMessage(TEXT.linkCopyFailed);
}
