import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { includes, useMe } from "@/features/session/me.ts";
import { TakeDownDialog } from "@/features/videos/take-down-dialog.tsx";
import { useList } from "@/screens/video/use-list.ts";
import { call } from "@/shared/api/call.ts";
import type { VideoDetail, VideoRow } from "@/shared/api/types.ts";
import { ConfirmDialog } from "@/shared/ui/dialog.tsx";

/** Putting a video into the bin and back, and what cannot be undone: purging and taking down. */
export function RemovalActions({ video }: { readonly video: VideoRow }) {
  const me = useMe();
  const isOwner = me !== undefined && includes(me.role, "owner");
  const client = useQueryClient();
  const navigate = useNavigate();
  const list = useList();
  const [asked, setAsked] = useState<"remove" | "purge" | "take-down" | null>(null);
  const leave = async () => {
    await navigate({ to: "/videos", search: list });
    client.removeQueries({ queryKey: ["video", String(video.id)] });
    await client.invalidateQueries({ queryKey: ["videos"] });
  };
  const purging = useMutation({
    mutationFn: () => call<null>(`/api/videos/${video.id}/purge`, { method: "POST" }),
    onSuccess: leave,
  });
  const removing = useMutation({
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
    <>
      {restoring.error ? (
        <p className="field-fault" role="alert">
          {restoring.error.message}
        </p>
      ) : null}
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
            removing.reset();
            setAsked("remove");
          }}
        >
          移入回收站
        </button>
      )}
      {isOwner && video.removed_at ? (
        <button
          type="button"
          className="button button-small"
          onClick={() => {
            purging.reset();
            setAsked("purge");
          }}
        >
          彻底删除
        </button>
      ) : null}
      {isOwner ? (
        <button
          type="button"
          className="button button-small"
          onClick={() => {
            setAsked("take-down");
          }}
        >
          永久下架
        </button>
      ) : null}
      {asked === "remove" ? (
        <ConfirmDialog
          title={`把“${video.title}”移入回收站？`}
          text="访客立刻看不到它。30 天内可以恢复，之后文件也会删除。"
          action="移入回收站"
          isBusy={removing.isPending}
          fault={removing.error?.message}
          onConfirm={() => {
            removing.mutate();
          }}
          onClose={close}
        />
      ) : null}
      {asked === "purge" ? (
        <ConfirmDialog
          title={`彻底删除“${video.title}”？`}
          text="立刻删除视频、由它生成的文件和保留的原文件，不能恢复。"
          action="彻底删除"
          isBusy={purging.isPending}
          fault={purging.error?.message}
          onConfirm={() => {
            purging.mutate();
          }}
          onClose={close}
        />
      ) : null}
      {asked === "take-down" ? (
        <TakeDownDialog video={video} onClose={close} onDone={leave} />
      ) : null}
    </>
  );
}
