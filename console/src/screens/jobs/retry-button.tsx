import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "@/shared/api/call.ts";
import { count as shown } from "@/shared/format/count.ts";
import { ConfirmDialog } from "@/shared/ui/dialog.tsx";

/** Puts all failed jobs back into the queue; what waits for a decision stays. */
export function RetryButton({ count }: { readonly count: number }) {
  const client = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const retrying = useMutation({
    mutationFn: () => call<{ retried: number }>("/api/jobs/retry-failed", { method: "POST" }),
    onSuccess: async () => {
      setIsAsked(false);
      await client.invalidateQueries({ queryKey: ["jobs"] });
      await client.invalidateQueries({ queryKey: ["overview"] });
    },
  });
  return (
    <>
      <button
        type="button"
        className="button button-small"
        onClick={() => {
          retrying.reset();
          setIsAsked(true);
        }}
      >
        全部重试
      </button>
      {isAsked ? (
        <ConfirmDialog
          title={`重试 ${shown(count)} 个失败的导入？`}
          text="都放回队列，现在就重试。等你决定的不受影响；文件本身有问题的会再次失败。"
          action="全部重试"
          isBusy={retrying.isPending}
          fault={retrying.error?.message}
          onConfirm={() => {
            retrying.mutate();
          }}
          onClose={() => {
            setIsAsked(false);
          }}
        />
      ) : null}
    </>
  );
}
