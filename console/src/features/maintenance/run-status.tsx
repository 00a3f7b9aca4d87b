import "@/features/maintenance/maintenance.css";
import { IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/shared/api/call.ts";
import type { Run } from "@/shared/api/types.ts";
import { size } from "@/shared/format/amount.ts";
import { ago } from "@/shared/format/moment.ts";

const ICON = { size: 22, stroke: 1.75, "aria-hidden": true } as const;

/** Whether a run has not ended. */
export function isOpen(run: Run | null | undefined): boolean {
  return run?.state === "waiting" || run?.state === "running";
}

/** How far a run is, or what came of it. */
export function RunStatus({
  run,
  label,
  queryKey,
}: {
  readonly run: Run;
  /** What is done: 备份. */
  readonly label: string;
  /** What is read again when it is stopped. */
  readonly queryKey: string;
}) {
  if (isOpen(run)) return <OpenRun run={run} label={label} queryKey={queryKey} />;
  const when = run.ended_at === null ? "" : ago(run.ended_at);
  const who = run.is_scheduled ? "定时" : run.asked_by;
  return (
    <div className="run-head" role="status" aria-label={`上一次${label}`}>
      {run.state === "done" ? (
        <IconCircleCheck {...ICON} className="tone-ok" />
      ) : (
        <IconCircleX {...ICON} className={run.state === "failed" ? "tone-error" : "tone-info"} />
      )}
      <div className="row-text">
        <p className="row-title">{titleOf(run, label)}</p>
        <p className="row-meta">
          {run.fault || run.summary}
          {run.fault || run.summary ? "。" : ""}
          {when}，{who}
        </p>
      </div>
    </div>
  );
}

function titleOf(run: Run, label: string): string {
  if (run.state === "done") return `${label}完成`;
  return run.state === "failed" ? `${label}失败` : `${label}已停止`;
}

function OpenRun({
  run,
  label,
  queryKey,
}: {
  readonly run: Run;
  readonly label: string;
  readonly queryKey: string;
}) {
  const client = useQueryClient();
  const stop = useMutation({
    mutationFn: () => call<null>(`/api/maintenance/${run.id}/stop`, { method: "POST" }),
    onSettled: () => client.invalidateQueries({ queryKey: [queryKey] }),
  });
  const share = run.total > 0 ? Math.min(1, run.done / run.total) : undefined;
  return (
    <div className="run" role="status" aria-label={`正在${label}`}>
      <div className="run-head">
        <p className="row-text">
          {run.state === "waiting" ? `马上开始${label}` : `正在${label}：${run.stage || "准备"}`}
        </p>
        <button
          type="button"
          className="button button-small"
          aria-label={`停止${label}`}
          disabled={stop.isPending || stop.isSuccess}
          onClick={() => {
            stop.mutate();
          }}
        >
          {stop.isSuccess ? "正在停止" : "停止"}
        </button>
      </div>
      <progress className="bar" aria-label={`${label}的进度`} max={1} value={share} />
      <p className="row-meta">
        {run.done > 0 ? size(run.done) : ""}
        {run.total > 0 ? ` / 约 ${size(run.total)}。` : ""}
        离开这个页面也会继续。
      </p>
    </div>
  );
}
