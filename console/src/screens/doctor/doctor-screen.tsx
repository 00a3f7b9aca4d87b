import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { isOpen, RunStatus } from "@/features/maintenance/run-status.tsx";
import { includes, useMe } from "@/features/session/me.ts";
import { ComesCard } from "@/screens/doctor/comes-card.tsx";
import { FindingList } from "@/screens/doctor/finding-list.tsx";
import { call } from "@/shared/api/call.ts";
import type { DoctorReport } from "@/shared/api/types.ts";
import { ago } from "@/shared/format/moment.ts";
import { Loaded } from "@/shared/ui/state.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";

const BUSY_MS = 1000;
const CALM_MS = 10_000;

/** What the doctor found, and what can be done about it. */
export function DoctorScreen() {
  useTitle("体检");
  const me = useMe();
  const report = useQuery({
    queryKey: ["doctor"],
    queryFn: ({ signal }) => call<DoctorReport>("/api/doctor", { signal, isBackground: true }),
    refetchInterval: ({ state: { data } }) =>
      isOpen(data?.run) || isOpen(data?.repair) ? BUSY_MS : CALM_MS,
  });
  const isOwner = me !== undefined && includes(me.role, "owner");
  return (
    <div className="page">
      <header className="page-head">
        <h1 className="page-title">体检</h1>
      </header>
      <Loaded query={report}>
        {(data) => (
          <>
            <Examination report={data} isOwner={isOwner} />
            <div className="columns">
              <FindingList report={data} role={me?.role ?? "viewer"} />
              {isOwner ? <ComesCard report={data} /> : null}
            </div>
          </>
        )}
      </Loaded>
    </div>
  );
}

function Examination({
  report,
  isOwner,
}: {
  readonly report: DoctorReport;
  readonly isOwner: boolean;
}) {
  const client = useQueryClient();
  const examine = useMutation({
    mutationFn: () => call<unknown>("/api/doctor", { method: "POST" }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["doctor"] }),
  });
  const { run, repair, checked_at: checked } = report;
  return (
    <section className="card" aria-labelledby="examination">
      <h2 id="examination" className="card-title">
        {checked === null ? "还没有体检过" : `上次体检：${ago(checked)}`}
      </h2>
      <p className="page-lead">
        检查版本、磁盘、设置、密钥、数据库、每个文件、导入、播放、广告。只看，不改；视频很多时要几分钟。
      </p>
      {isOwner ? (
        <>
          {repair ? <RunStatus run={repair} label="处理" queryKey="doctor" /> : null}
          {run && (isOpen(run) || run.state !== "done") ? (
            <RunStatus run={run} label="体检" queryKey="doctor" />
          ) : null}
          {isOpen(run) ? null : (
            <button
              type="button"
              className="button button-primary button-start"
              disabled={examine.isPending}
              onClick={() => {
                examine.mutate();
              }}
            >
              现在体检
            </button>
          )}
          {examine.error ? (
            <p className="field-fault" role="alert">
              {examine.error.message}
            </p>
          ) : null}
        </>
      ) : (
        <p className="row-meta">由站长体检和处理；与内容无关的问题只有站长能看到。</p>
      )}
    </section>
  );
}
