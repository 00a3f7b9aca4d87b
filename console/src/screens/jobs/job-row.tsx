import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { undecided } from "@/features/jobs/undecided.ts";
import { DecideDialog } from "@/screens/jobs/decide-dialog.tsx";
import { JOB_STATES } from "@/screens/jobs/states.ts";
import { call } from "@/shared/api/call.ts";
import type { Job } from "@/shared/api/types.ts";
import { moment, span } from "@/shared/format/moment.ts";
import { Badge } from "@/shared/ui/badge.tsx";
import { jobTone } from "@/shared/ui/tones.ts";

/** A file in the queue, and what may be done with it. */
export function JobRow({ job, mayChange }: { readonly job: Job; readonly mayChange: boolean }) {
  const client = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const accepted = undecided(job);
  const change = useMutation({
    mutationFn: (action: "retry" | "cancel") =>
      call<Job>(`/api/jobs/${job.id}/${action}`, {
        method: "POST",
        ...(action === "retry" ? { body: accepted?.body ?? {} } : {}),
      }),
    onSuccess: async () => {
      setIsAsked(false);
      await client.invalidateQueries({ queryKey: ["jobs"] });
      await client.invalidateQueries({ queryKey: ["overview"] });
    },
  });
  const name = job.source.split("/").at(-1) ?? job.source;
  const action = actionOf(job);
  return (
    <li>
      <div className="row-text">
        <p className="row-title">
          {job.video_id === null ? (
            name
          ) : (
            <Link to="/videos/$id" params={{ id: String(job.video_id) }}>
              {name}
            </Link>
          )}
        </p>
        {job.state === "running" ? (
          <progress className="bar" max={1} value={job.progress} aria-label={name} />
        ) : null}
        {job.cause ? (
          <p className={`row-meta ${accepted ? "tone-warning" : "tone-error"}`}>{job.cause}</p>
        ) : null}
        {change.error && !isAsked ? (
          <p className="field-fault" role="alert">
            {change.error.message}
          </p>
        ) : null}
        <p className="row-meta">{told(job)}</p>
      </div>
      <Badge tone={jobTone(job.state, accepted !== null)}>
        {accepted ? "等你决定" : JOB_STATES[job.state]}
      </Badge>
      {mayChange && action ? (
        <button
          type="button"
          className="button button-small"
          aria-label={`${action.name} ${name}`}
          disabled={change.isPending}
          onClick={() => {
            if (accepted) setIsAsked(true);
            else change.mutate(action.call);
          }}
        >
          {action.name}
        </button>
      ) : null}
      {isAsked && accepted ? (
        <DecideDialog
          job={job}
          name={name}
          accepted={accepted}
          isBusy={change.isPending}
          fault={change.error?.message}
          onConfirm={() => {
            change.mutate("retry");
          }}
          onClose={() => {
            setIsAsked(false);
          }}
        />
      ) : null}
    </li>
  );
}

/** Done jobs stay as they are. */
function actionOf(job: Job): { name: string; call: "retry" | "cancel" } | null {
  const { state } = job;
  if (undecided(job)) return { name: "看看", call: "retry" };
  if (state === "failed" || state === "cancelled") return { name: "重试", call: "retry" };
  if (state === "waiting" || state === "running") return { name: "取消", call: "cancel" };
  return null;
}

/** Since when, and how long it will take. */
function told(job: Job): string {
  if (job.state !== "running") return `${moment(job.created_at)} 加入`;
  const done = `${Math.round(job.progress * 100)}%`;
  return job.seconds_left === null ? done : `${done}，还要 ${span(job.seconds_left)}`;
}
