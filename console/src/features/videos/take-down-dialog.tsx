import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { call } from "@/shared/api/call.ts";
import type { VideoRow } from "@/shared/api/types.ts";
import { Dialog } from "@/shared/ui/dialog.tsx";

const FORM = z.object({
  reason: z
    .string()
    .check(z.trim(), z.minLength(1, "请写下架原因"), z.maxLength(200, "最多 200 个字")),
});

/** Asks for the reason, and takes a video down for good. */
export function TakeDownDialog({
  video,
  onClose,
  onDone,
}: {
  readonly video: Pick<VideoRow, "id" | "title">;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}) {
  const form = useForm({ resolver: zodResolver(FORM), defaultValues: { reason: "" } });
  const takingDown = useMutation({
    mutationFn: (body: z.infer<typeof FORM>) =>
      call<null>(`/api/videos/${video.id}/takedown`, { method: "POST", body }),
    onSuccess: onDone,
  });
  const fault = form.formState.errors.reason?.message ?? takingDown.error?.message;
  return (
    <Dialog title={`永久下架“${video.title}”？`} onClose={onClose}>
      <form
        className="dialog-body"
        onSubmit={(event) => {
          void form.handleSubmit((given) => {
            takingDown.mutate(given);
          })(event);
        }}
      >
        <p className="page-lead">立刻删除视频和文件，同一内容以后也不能再导入。不能撤销。</p>
        <div className="field">
          <label htmlFor="reason">原因，留作记录</label>
          <input
            id="reason"
            autoComplete="off"
            aria-invalid={fault !== undefined}
            aria-describedby="reason-fault"
            {...form.register("reason")}
          />
          <p id="reason-fault" className="field-fault" role="alert">
            {fault}
          </p>
        </div>
        <div className="dialog-actions">
          <button type="button" className="button button-small" onClick={onClose}>
            取消
          </button>
          <button
            type="submit"
            className="button button-small button-primary"
            disabled={takingDown.isPending}
          >
            永久下架
          </button>
        </div>
      </form>
    </Dialog>
  );
}
