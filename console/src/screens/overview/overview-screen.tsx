import {
  IconCircleCheck,
  IconCircleX,
  IconFlag3,
  IconHelpCircle,
  IconKey,
  IconMessage,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { includes, useMe } from "@/features/session/me.ts";
import { HealthRows } from "@/screens/overview/health-rows.tsx";
import { QueueCard } from "@/screens/overview/queue-card.tsx";
import { ViewsCard } from "@/screens/overview/views-card.tsx";
import { call } from "@/shared/api/call.ts";
import type { Overview } from "@/shared/api/types.ts";
import { Loaded } from "@/shared/ui/state.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";

const REFRESH_MS = 5000;
const ICON = { size: 22, stroke: 1.75, "aria-hidden": true } as const;

/** What needs attention, and what is being worked on. */
export function OverviewScreen() {
  useTitle("总览");
  const me = useMe();
  const mayDecide = me !== undefined && includes(me.role, "editor");
  const overview = useQuery({
    queryKey: ["overview"],
    queryFn: ({ signal }) => call<Overview>("/api/overview", { signal, isBackground: true }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <div className="page">
      <header className="page-head">
        <h1 className="page-title">总览</h1>
      </header>
      {me && !me.has_passkeys ? <PasskeyAdvice /> : null}
      <div className="columns">
        <section className="card" aria-labelledby="attention">
          <div className="card-head">
            <h2 id="attention" className="card-title">
              需要处理
            </h2>
          </div>
          <Loaded query={overview}>
            {(data) => <Attention overview={data} mayDecide={mayDecide} />}
          </Loaded>
          {overview.data ? <HealthRows health={overview.data.health} role={me?.role} /> : null}
        </section>
        <div className="page-part">
          <Loaded query={overview}>{(data) => <QueueCard overview={data} />}</Loaded>
          <ViewsCard />
        </div>
      </div>
    </div>
  );
}

function PasskeyAdvice() {
  return (
    <section className="card">
      <div className="card-head">
        <IconKey {...ICON} />
        <p className="row-text">登记一个通行密钥，下次用指纹、面容或 PIN 登录，不必再上服务器。</p>
        <Link to="/sessions" className="button button-small">
          去登记
        </Link>
      </div>
    </section>
  );
}

function Attention({
  overview,
  mayDecide,
}: {
  readonly overview: Overview;
  readonly mayDecide: boolean;
}) {
  const { failed_jobs, unread_feedback, open_reports, queue } = overview;
  const failed = queue.failed - queue.undecided;
  return (
    <ul className="rows">
      {queue.undecided > 0 ? (
        <li>
          <IconHelpCircle {...ICON} className="tone-warning" />
          <p className="row-text">{queue.undecided} 个导入等你决定</p>
          <Link to="/jobs" search={{ state: "failed" }} className="button button-small">
            {mayDecide ? "去决定" : "看看"}
          </Link>
        </li>
      ) : null}
      {failed > 0 ? (
        <li>
          <IconCircleX {...ICON} className="tone-error" />
          <div className="row-text">
            <p className="row-title">{failed} 个导入失败</p>
            {failed_jobs.map((job) => (
              <p key={job.id} className="row-meta">
                {job.source.split("/").at(-1)}：{job.cause}
              </p>
            ))}
          </div>
          <Link
            to="/jobs"
            search={{ state: "failed" }}
            className="button button-small"
            aria-label="查看失败的导入"
          >
            查看
          </Link>
        </li>
      ) : (
        <li>
          <IconCircleCheck {...ICON} className="tone-ok" />
          <p className="row-text">没有失败的导入</p>
        </li>
      )}
      <li>
        {unread_feedback > 0 ? (
          <IconMessage {...ICON} className="tone-warning" />
        ) : (
          <IconCircleCheck {...ICON} className="tone-ok" />
        )}
        <p className="row-text">
          {unread_feedback > 0 ? `${unread_feedback} 条未处理的反馈` : "反馈都处理过了"}
        </p>
        {unread_feedback > 0 && mayDecide ? (
          <Link to="/visitors" search={{ kind: "feedback" }} className="button button-small">
            去处理
          </Link>
        ) : null}
      </li>
      {open_reports > 0 ? (
        <li>
          <IconFlag3 {...ICON} className="tone-warning" />
          <p className="row-text">{open_reports} 个视频被举报</p>
          <Link to="/visitors" search={{ kind: "reports" }} className="button button-small">
            {mayDecide ? "去处理" : "查看"}
          </Link>
        </li>
      ) : null}
    </ul>
  );
}
