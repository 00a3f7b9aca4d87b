import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { undecided } from "@/features/jobs/undecided.ts";
import { includes, useMe } from "@/features/session/me.ts";
import { ClearButton } from "@/screens/jobs/clear-button.tsx";
import { JobRow } from "@/screens/jobs/job-row.tsx";
import { RetryButton } from "@/screens/jobs/retry-button.tsx";
import { isEnded, isJobState, JOB_STATES } from "@/screens/jobs/states.ts";
import { call } from "@/shared/api/call.ts";
import type { JobPage } from "@/shared/api/types.ts";
import { count } from "@/shared/format/count.ts";
import { Empty, Loaded } from "@/shared/ui/state.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";

const route = getRouteApi("/shell/jobs");
const REFRESH_MS = 5000;

/** The import queue: what is worked on, what waits, and why something failed. */
export function JobsScreen() {
  useTitle("导入队列");
  const me = useMe();
  const mayChange = me !== undefined && includes(me.role, "editor");
  const { state, page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const jobs = useQuery({
    queryKey: ["jobs", state, page],
    queryFn: ({ signal }) =>
      call<JobPage>(`/api/jobs?page=${page}${state ? `&state=${state}` : ""}`, {
        signal,
        isBackground: true,
      }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  const show = (to: number) => {
    void navigate({ search: (before) => ({ ...before, page: to === 1 ? undefined : to }) });
  };
  return (
    <div className="page">
      <header className="page-head">
        <h1 className="page-title">导入队列</h1>
        <div className="field">
          <select
            aria-label="状态"
            value={state ?? ""}
            onChange={({ target }) => {
              const chosen = isJobState(target.value) ? target.value : undefined;
              void navigate({ search: { state: chosen }, replace: true });
            }}
          >
            <option value="">全部</option>
            {Object.entries(JOB_STATES).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </div>
      </header>
      <Loaded query={jobs}>
        {({ data, queue, has_more }) => (
          <section className="card" aria-label="任务">
            <p className="page-lead">
              进行中 {count(queue.running)}，等待 {count(queue.waiting)}，失败{" "}
              {count(queue.failed - queue.undecided)}，等你决定 {count(queue.undecided)}
            </p>
            {data.length === 0 ? <Empty>没有这样的任务</Empty> : null}
            {mayChange && state && isEnded(state) && data.some((job) => !undecided(job)) ? (
              <div className="row-buttons">
                {state === "failed" ? <RetryButton count={queue.failed - queue.undecided} /> : null}
                <ClearButton state={state} />
              </div>
            ) : null}
            <ul className="rows">
              {data.map((job) => (
                <JobRow key={job.id} job={job} mayChange={mayChange} />
              ))}
            </ul>
            {page > 1 || has_more ? (
              <nav className="card-head" aria-label="翻页">
                <button
                  type="button"
                  className="button button-small"
                  disabled={page === 1}
                  onClick={() => {
                    show(page - 1);
                  }}
                >
                  上一页
                </button>
                <button
                  type="button"
                  className="button button-small"
                  disabled={!has_more}
                  onClick={() => {
                    show(page + 1);
                  }}
                >
                  下一页
                </button>
              </nav>
            ) : null}
          </section>
        )}
      </Loaded>
    </div>
  );
}
