import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { JOB_STATES, type JobState } from "@/screens/jobs/states.ts";
import { call } from "@/shared/api/call.ts";
import { ConfirmDialog } from "@/shared/ui/dialog.tsx";

/** Forgets the jobs of a list that ended; what waits for a decision stays. */
export function ClearButton({ state }: { readonly state: JobState }) {
  const client = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const clearing = useMutation({
    mutationFn: () =>
      call<{ cleared: number }>("/api/jobs/clear", { method: "POST", body: { state } }),
    onSuccess: async () => {
      setIsAsked(false);
      await client.invalidateQueries({ queryKey: ["jobs"] });
      await client.invalidateQueries({ queryKey: ["overview"] });
    },
  });
  const name = JOB_STATES[state];
  return (
    <>
      <button
        type="button"
        className="button button-small"
        onClick={() => {
          clearing.reset();
          setIsAsked(true);
        }}
      >
        清理这些记录
      </button>
      {isAsked ? (
        <ConfirmDialog
          title={`清理“${name}”的记录？`}
          text="只忘掉这些记录，视频和等你决定的不受影响。失败的之后不能在这里重试，要重新上传或导入。"
          action="清理"
          isBusy={clearing.isPending}
          fault={clearing.error?.message}
          onConfirm={() => {
            clearing.mutate();
          }}
          onClose={() => {
            setIsAsked(false);
          }}
        />
      ) : null}
    </>
  );
}
