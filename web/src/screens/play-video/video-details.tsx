import "./video-details.css";
import { IconBadgeHd, IconFlag3, IconShare3 } from "@tabler/icons-react";
import { FavouriteButton } from "@/features/favourites/favourite-button.tsx";
import type { Artist } from "@/player/play-info.ts";
import type { TileVideo } from "@/player/preload.ts";
import type { Ad, Label, Video } from "@/shared/api/model.ts";
import { Cover } from "@/shared/covers/cover.tsx";
import { openFeedback } from "@/shared/feedback-desk.ts";
import { formatViews } from "@/shared/format/count.ts";
import { formatRelativeTime } from "@/shared/format/relative-time.ts";
import { showMessage } from "@/shared/messages/message-store.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import { Link } from "@/shared/navigation/navigation.tsx";
import { shareAbilities, shareLink } from "@/shared/share-link.ts";
import { Avatar } from "@/shared/ui/avatar.tsx";
import { adLink } from "@/shared/ui/tiles/ad-tracking.ts";

/** Title and figures; what the tile knew is shown from the first frame on. */
export function VideoHead({
  video,
  now,
}: {
  readonly video: Video | TileVideo | null;
  readonly now: number;
}) {
  if (!video?.title) {
    return (
      <div className="video-head" role="status" aria-label="正在加载">
        <i className="skeleton play-line is-title" />
        <i className="skeleton play-line is-short" />
      </div>
    );
  }
  const { title, pageViews, updatedAt, playTime } = video;
  return (
    <div className="video-head">
      <h1>{title}</h1>
      <p className="video-meta">
        {pageViews !== undefined && <span>{formatViews(pageViews)}</span>}
        {updatedAt !== undefined && <span>{formatRelativeTime(updatedAt, now)}</span>}
        {playTime && <span>{playTime}</span>}
      </p>
    </div>
  );
}

/** Labels as chips, each leading to a search for it. */
export function Labels({ labels }: { readonly labels: readonly Label[] }) {
  if (labels.length === 0) return null;
  return (
    <ul className="video-labels" aria-label="标签">
      {labels.map(({ id, name }) => (
        <li key={id}>
          <Link to={`/searchList?${new URLSearchParams({ search: name })}`}>
            <span>{name}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

interface ActionsProps {
  readonly video: Video;
  /** Opens the quality menu; null where nothing is to be chosen. */
  readonly onQuality: (() => void) | null;
}

/** What a visitor can do with the video. */
export function Actions({ video, onQuality }: ActionsProps) {
  const { id, title, cover } = video;
  const share = async () => {
    const url = new URL(`/playVideo?id=${id}`, window.location.href).href;
    const result = await shareLink(title, url, shareAbilities());
    if (result === "copied") showMessage(TEXT.linkCopied);
    if (result === "failed") showMessage(TEXT.linkCopyFailed);
  };
  return (
    <div className="video-actions">
      <FavouriteButton key={id} video={video} />
      <button type="button" onClick={() => void share()}>
        <IconShare3 stroke={1.75} aria-hidden="true" />
        分享
      </button>
      {onQuality && (
        <button type="button" className="phone-only" onClick={onQuality}>
          <IconBadgeHd stroke={1.75} aria-hidden="true" />
          画质
        </button>
      )}
      <button type="button" onClick={() => openFeedback({ id, title, cover })}>
        <IconFlag3 stroke={1.75} aria-hidden="true" />
        反馈
      </button>
    </div>
  );
}

/** The first artist of the video, leading to the artist's other videos. */
export function ArtistCard({ artist }: { readonly artist: Artist }) {
  return (
    <Link className="play-artist" to={`/artist-details?id=${artist.id}`}>
      <span className="play-artist-picture">
        <Avatar artist={artist} />
      </span>
      <span className="play-artist-text">
        <b>{artist.name}</b>
        <small>{artist.videoCount} 个视频</small>
      </span>
    </Link>
  );
}

/** An advertisement between the actions and the list. It looks like content but carries 广告. */
export function PageAd({ ad }: { readonly ad: Ad }) {
  const content = (
    <>
      <Cover picture={ad.image} ratio="ad" />
      <span className="page-ad-line">
        <i>广告</i>
        <b>{ad.title}</b>
      </span>
    </>
  );
  if (!ad.url) return <div className="page-ad">{content}</div>;
  return (
    <a className="page-ad" {...adLink(ad)}>
      {content}
    </a>
  );
}
