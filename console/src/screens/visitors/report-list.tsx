import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ReportDialog } from "@/screens/visitors/report-dialog.tsx";
import { REPORT_STATES } from "@/screens/visitors/states.ts";
import { call } from "@/shared/api/call.ts";
import type { ReportPage } from "@/shared/api/types.ts";
import { ago } from "@/shared/format/moment.ts";
import { Badge } from "@/shared/ui/badge.tsx";
import { Empty, Loaded } from "@/shared/ui/state.tsx";
import { REPORT_TONES } from "@/shared/ui/tones.ts";

/** Reported videos, one entry each, the latest report first. */
export function ReportList({
  range,
  mayRead,
}: {
  readonly range: "open" | "all";
  /** Whether what the reporters said may be read too. */
  readonly mayRead: boolean;
}) {
  const [shown, setShown] = useState<number | null>(null);
  const found = useQuery({
    queryKey: ["reports", range],
    queryFn: ({ signal }) => call<ReportPage>(`/api/reports?which=${range}`, { signal }),
  });
  return (
    <Loaded query={found}>
      {({ data, total }) => {
        if (data.length === 0)
          return (
            <Empty>
              {range === "open" ? "没有待处理的举报。" : "还没有举报。"}
              访客在播放页点“举报”后，会出现在这里。
            </Empty>
          );
        return (
          <section className="card" aria-label="举报">
            <p className="row-meta">
              共 {total} 个视频{data.length < total ? `，列出最近的 ${data.length} 个` : ""}
            </p>
            <ul className="rows">
              {data.map((one) => (
                <li key={one.id}>
                  <div className="row-text">
                    <p className="row-title">{one.title}</p>
                    <p className="row-meta">
                      视频 {one.video_id}，{one.reports} 次举报，{ago(one.last_at)}
                    </p>
                    {one.note ? <p className="row-meta">备注：{one.note}</p> : null}
                  </div>
                  <Badge tone={REPORT_TONES[one.state]}>{REPORT_STATES[one.state]}</Badge>
                  {mayRead ? (
                    <button
                      type="button"
                      className="button button-small"
                      aria-label={`查看视频 ${one.video_id} 的举报 ${one.id}`}
                      onClick={() => {
                        setShown(one.id);
                      }}
                    >
                      查看
                    </button>
                  ) : null}
                </li>
              ))}
            </ul>
            {shown === null ? null : (
              <ReportDialog
                entryId={shown}
                onClose={() => {
                  setShown(null);
                }}
              />
            )}
          </section>
        );
      }}
    </Loaded>
  );
}
