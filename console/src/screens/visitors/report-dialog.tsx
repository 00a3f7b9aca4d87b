import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Cover } from "@/features/videos/cover.tsx";
import { stateName } from "@/features/videos/names.ts";
import { DecisionForm } from "@/screens/visitors/decision-form.tsx";
import { REPORT_STATES } from "@/screens/visitors/states.ts";
import { call } from "@/shared/api/call.ts";
import type { ReportDetail } from "@/shared/api/types.ts";
import { moment } from "@/shared/format/moment.ts";
import { Dialog } from "@/shared/ui/dialog.tsx";
import { Loaded } from "@/shared/ui/state.tsx";

/** A reported video, what its reporters said, and the decision. */
export function ReportDialog({
  entryId,
  onClose,
}: {
  readonly entryId: number;
  readonly onClose: () => void;
}) {
  const detail = useQuery({
    queryKey: ["reports", "detail", entryId],
    queryFn: ({ signal }) => call<ReportDetail>(`/api/reports/${entryId}`, { signal }),
  });
  return (
    <Dialog title="举报" onClose={onClose}>
      <Loaded query={detail}>
        {(data) => (
          <>
            <ReportedVideo detail={data} />
            <ul className="rows said-list" aria-label="举报人说的">
              {data.reports.map((one) => (
                <li key={one.id}>
                  <div className="row-text">
                    <p className="row-title">
                      <b>{one.reason}</b>
                    </p>
                    {one.content ? <p className="said-text">{one.content}</p> : null}
                    {one.contact ? <p className="row-meta">联系：{one.contact}</p> : null}
                    <p className="row-meta">{moment(one.created_at)}</p>
                  </div>
                </li>
              ))}
            </ul>
            {data.entry.decided_at === null ? (
              <DecisionForm entry={data.entry} video={data.video} onClose={onClose} />
            ) : null}
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

/** What it is about: its cover, and the way to it here and on the site. */
function ReportedVideo({ detail }: { readonly detail: ReportDetail }) {
  const { entry, video, page } = detail;
  return (
    <div className="reported">
      {video ? <Cover video={video} /> : null}
      <div className="row-text">
        <p className="row-title">{video?.title ?? entry.title}</p>
        <p className="row-meta">
          视频 {entry.video_id}，{entry.reports} 次举报，{REPORT_STATES[entry.state]}
        </p>
        <p className="row-meta">{video ? stateName(video.state) : "视频已经彻底删除"}</p>
        {video ? (
          <p className="reported-ways">
            <Link
              to="/videos/$id"
              params={{ id: String(video.id) }}
              className="button button-small"
            >
              查看视频
            </Link>
            {page ? (
              <a className="button button-small" href={page} target="_blank" rel="noreferrer">
                在网站上播放
              </a>
            ) : null}
          </p>
        ) : null}
      </div>
    </div>
  );
}
