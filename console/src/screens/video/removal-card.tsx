import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { includes, useMe } from "@/features/session/me.ts";
import { TakeDownDialog } from "@/screens/video/take-down-dialog.tsx";
import { call } from "@/shared/api/call.ts";
import type { VideoDetail, VideoRow } from "@/shared/api/types.ts";
import { moment } from "@/shared/format/moment.ts";
import { ConfirmDialog } from "@/shared/ui/dialog.tsx";

/** Deleting a video, and taking it down. */
export function RemovalCard({ video }: { readonly video: VideoRow }) {
  const me = useMe();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<"delete" | "take-down" | null>(null);
  const leave = async () => {
    await navigate({ to: "/videos" });
    client.removeQueries({ queryKey: ["video", String(video.id)] });
    await client.invalidateQueries({ queryKey: ["videos"] });
  };
  const deleting = useMutation({
    mutationFn: () => call<null>(`/api/videos/${video.id}`, { method: "DELETE" }),
    onSuccess: async () => {
      setAsked(null);
      await client.invalidateQueries();
    },
  });
  const restoring = useMutation({
    mutationFn: () => call<VideoDetail>(`/api/videos/${video.id}/restore`, { method: "POST" }),
    onSuccess: async (detail) => {
      client.setQueryData(["video", String(video.id)], detail);
      await client.invalidateQueries({ queryKey: ["videos"] });
    },
  });
  const close = () => {
    setAsked(null);
  };
  return (
    <section className="card" aria-labelledby="removal">
      <h2 id="removal" className="card-title">
        删除与下架
      </h2>
      {video.removed_at ? (
        <p className="page-lead">{moment(video.removed_at)} 移入回收站，30 天后彻底删除。</p>
      ) : null}
      {restoring.error ? (
        <p className="field-fault" role="alert">
          {restoring.error.message}
        </p>
      ) : null}
      <div className="chips">
        {video.removed_at ? (
          <button
            type="button"
            className="button button-small button-primary"
            disabled={restoring.isPending}
            onClick={() => {
              restoring.mutate();
            }}
          >
            恢复
          </button>
        ) : (
          <button
            type="button"
            className="button button-small"
            onClick={() => {
              deleting.reset();
              setAsked("delete");
            }}
          >
            删除
          </button>
        )}
        {me && includes(me.role, "owner") ? (
          <button
            type="button"
            className="button button-small"
            onClick={() => {
              setAsked("take-down");
            }}
          >
            下架
          </button>
        ) : null}
      </div>
      {asked === "delete" ? (
        <ConfirmDialog
          title={`删除“${video.title}”？`}
          text="访客立刻看不到它。30 天内可以从回收站恢复，之后文件也会删除。"
          action="删除"
          isBusy={deleting.isPending}
          fault={deleting.error?.message}
          onConfirm={() => {
            deleting.mutate();
          }}
          onClose={close}
        />
      ) : null}
      {asked === "take-down" ? (
        <TakeDownDialog video={video} onClose={close} onDone={leave} />
      ) : null}
    </section>
  );
}
