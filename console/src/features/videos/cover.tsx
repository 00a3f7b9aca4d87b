import "@/features/videos/cover.css";
import { IconMovie } from "@tabler/icons-react";
import type { VideoRow } from "@/shared/api/types.ts";
import { clock } from "@/shared/format/clock.ts";

/** Where a video's cover is read, another address for another picture; null without one. */
export function coverAddress({ id, cover }: Pick<VideoRow, "id" | "cover">): string | null {
  return cover ? `/api/videos/${id}/cover?${cover}` : null;
}

/** A video's cover with its running time. */
export function Cover({ video }: { readonly video: VideoRow }) {
  const address = coverAddress(video);
  return (
    <span className="cover">
      {address ? (
        <img src={address} alt="" loading="lazy" />
      ) : (
        <IconMovie size={24} stroke={1.5} aria-hidden="true" />
      )}
      {video.duration > 0 ? <span className="cover-time">{clock(video.duration)}</span> : null}
    </span>
  );
}
