import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { includes, useMe } from "@/features/session/me.ts";
import { REPORT_STATES } from "@/screens/visitors/states.ts";
import { call } from "@/shared/api/call.ts";
import type { ReportDetail, ReportState } from "@/shared/api/types.ts";
import { moment } from "@/shared/format/moment.ts";
import { Dialog } from "@/shared/ui/dialog.tsx";
import { Loaded } from "@/shared/ui/state.tsx";

const LONGEST_NOTE = 200;

/** What the reporters of a video said, and the decision. */
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
        {({ entry, reports }) => (
          <>
            <p className="row-title">{entry.title}</p>
            <p className="row-meta">
              视频 {entry.video_id}，{entry.reports} 次举报，{REPORT_STATES[entry.state]}
            </p>
            <ul className="rows said-list" aria-label="举报人说的">
              {reports.map((one) => (
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
            {entry.decided_at === null ? (
              <DecisionForm entryId={entryId} state={entry.state} onClose={onClose} />
            ) : null}
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

interface DecisionFormProps {
  readonly entryId: number;
  readonly state: ReportState;
  readonly onClose: () => void;
}

function DecisionForm({ entryId, state, onClose }: DecisionFormProps) {
  const ids = useId();
  const client = useQueryClient();
  const me = useMe();
  const [note, setNote] = useState("");
  const deciding = useMutation({
    mutationFn: (decision: ReportState) =>
      call<ReportDetail>(`/api/reports/${entryId}/decision`, {
        method: "POST",
        body: { state: decision, note },
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["reports"] });
      await client.invalidateQueries({ queryKey: ["overview"] });
      onClose();
    },
  });
  if (!me || !includes(me.role, "editor")) return null;
  const button = (decision: ReportState, name: string, isMain = false) => (
    <button
      type="button"
      className={isMain ? "button button-small button-primary" : "button button-small"}
      disabled={deciding.isPending}
      onClick={() => {
        deciding.mutate(decision);
      }}
    >
      {name}
    </button>
  );
  return (
    <>
      <div className="field">
        <label htmlFor={ids}>备注（只给站里的人看）</label>
        <input
          id={ids}
          value={note}
          maxLength={LONGEST_NOTE}
          onChange={(event) => {
            setNote(event.target.value);
          }}
        />
      </div>
      {deciding.error ? (
        <p className="field-fault" role="alert">
          {deciding.error.message}
        </p>
      ) : null}
      <div className="dialog-actions">
        {state === "new" ? button("in_work", "标为处理中") : null}
        {button("dismissed", "没有违规")}
        {button("removed", "下架视频", true)}
      </div>
      <p className="row-meta">下架的视频在回收站里保留 30 天，期间可以恢复。</p>
    </>
  );
}
