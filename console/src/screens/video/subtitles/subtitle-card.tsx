import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { SubtitleForm } from "@/screens/video/subtitles/subtitle-form.tsx";
import { call } from "@/shared/api/call.ts";
import type { SubtitleTrack, VideoDetail } from "@/shared/api/types.ts";
import { ConfirmDialog } from "@/shared/ui/dialog.tsx";
import { Empty } from "@/shared/ui/state.tsx";

/** The subtitle tracks of a video: listed, added or replaced by language, removed. */
export function SubtitleCard({
  detail,
  mayEdit,
}: {
  readonly detail: VideoDetail;
  readonly mayEdit: boolean;
}) {
  const { video, subtitles } = detail;
  const client = useQueryClient();
  const [removed, setRemoved] = useState<SubtitleTrack | null>(null);
  const keep = async (tracks: SubtitleTrack[]) => {
    client.setQueryData<VideoDetail>(
      ["video", String(video.id)],
      (known) => known && { ...known, subtitles: tracks },
    );
    await client.invalidateQueries({ queryKey: ["playback", video.id] });
  };
  const removing = useMutation({
    mutationFn: ({ lang }: SubtitleTrack) =>
      call<SubtitleTrack[]>(`/api/videos/${video.id}/subtitles/${lang}`, { method: "DELETE" }),
    onSuccess: async (tracks) => {
      await keep(tracks);
      setRemoved(null);
    },
  });
  return (
    <section className="card" aria-labelledby="subtitles">
      <h2 id="subtitles" className="card-title">
        字幕
      </h2>
      {subtitles.length === 0 ? <Empty>还没有字幕</Empty> : null}
      <ul className="rows" aria-label="字幕轨道">
        {subtitles.map((track) => (
          <li key={track.lang}>
            <div className="row-text">
              <p className="row-title">{track.label}</p>
              <p className="row-meta">{track.lang}</p>
            </div>
            {mayEdit ? (
              <button
                type="button"
                className="button button-small"
                aria-label={`删除${track.label}字幕`}
                onClick={() => {
                  removing.reset();
                  setRemoved(track);
                }}
              >
                删除
              </button>
            ) : null}
          </li>
        ))}
      </ul>
      {mayEdit ? <SubtitleForm id={video.id} known={subtitles} onDone={keep} /> : null}
      {removed ? (
        <ConfirmDialog
          title={`删除${removed.label}字幕？`}
          text="访客立刻不能再选它。文件不会留下，需要时请重新上传。"
          action="删除"
          isBusy={removing.isPending}
          fault={removing.error?.message}
          onConfirm={() => {
            removing.mutate(removed);
          }}
          onClose={() => {
            setRemoved(null);
          }}
        />
      ) : null}
    </section>
  );
}
