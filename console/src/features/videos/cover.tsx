import "@/features/videos/cover.css";
import { IconMovie } from "@tabler/icons-react";
import type { VideoRow } from "@/shared/api/types.ts";
import { clock } from "@/shared/format/clock.ts";

/** A video's cover with its running time. */
export function Cover({ video }: { readonly video: VideoRow }) {
  return (
    <span className="cover">
      {video.has_cover ? (
        <img src={`/api/videos/${video.id}/cover?${video.updated_at}`} alt="" loading="lazy" />
      ) : (
        <IconMovie size={24} stroke={1.5} aria-hidden="true" />
      )}
      {video.duration > 0 ? <span className="cover-time">{clock(video.duration)}</span> : null}
    </span>
  );
}
