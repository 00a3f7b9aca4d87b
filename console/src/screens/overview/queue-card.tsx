import { Link } from "@tanstack/react-router";
import type { Job, Overview } from "@/shared/api/types.ts";
import { span } from "@/shared/format/moment.ts";
import { Badge } from "@/shared/ui/badge.tsx";

/** What is imported now, and what waits. */
export function QueueCard({ overview }: { readonly overview: Overview }) {
  const { queue, running_jobs } = overview;
  return (
    <section className="card" aria-labelledby="queue">
      <div className="card-head">
        <h2 id="queue" className="card-title">
          导入队列
        </h2>
        <Badge>
          进行中 {queue.running} · 等待 {queue.waiting}
        </Badge>
      </div>
      {running_jobs.length === 0 ? (
        <p className="page-lead">
          {queue.waiting > 0 ? "有文件在等待，还没有开始处理。" : "队列是空的。"}
        </p>
      ) : (
        <ul className="rows">
          {running_jobs.map((job) => (
            <li key={job.id}>
              <RunningJob job={job} />
            </li>
          ))}
        </ul>
      )}
      <Link to="/jobs" className="button button-small">
        查看导入队列
      </Link>
    </section>
  );
}

function RunningJob({ job }: { readonly job: Job }) {
  const name = job.source.split("/").at(-1) ?? "";
  return (
    <div className="row-text">
      <p className="row-title">{name}</p>
      <progress className="bar" max={1} value={job.progress} aria-label={name} />
      <p className="row-meta">
        {Math.round(job.progress * 100)}%
        {job.seconds_left === null ? "" : `，还要 ${span(job.seconds_left)}`}
      </p>
    </div>
  );
}
