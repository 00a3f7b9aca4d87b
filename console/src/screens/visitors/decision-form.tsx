import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { includes, useMe } from "@/features/session/me.ts";
import { TakeDownDialog } from "@/features/videos/take-down-dialog.tsx";
import { call } from "@/shared/api/call.ts";
import type { ReportDetail, ReportState } from "@/shared/api/types.ts";

const LONGEST_NOTE = 200;

interface DecisionFormProps {
  readonly entry: ReportDetail["entry"];
  readonly video: ReportDetail["video"];
  readonly onClose: () => void;
}

/** Decides a report; what visitors feel is asked about first. */
export function DecisionForm({ entry, video, onClose }: DecisionFormProps) {
  const ids = useId();
  const client = useQueryClient();
  const me = useMe();
  const [note, setNote] = useState("");
  const [asked, setAsked] = useState<"remove" | "take-down" | null>(null);
  const done = async () => {
    await client.invalidateQueries({ queryKey: ["reports"] });
    await client.invalidateQueries({ queryKey: ["overview"] });
    await client.invalidateQueries({ queryKey: ["videos"] });
    await client.invalidateQueries({ queryKey: ["video", String(entry.video_id)] });
    onClose();
  };
  const deciding = useMutation({
    mutationFn: (decision: ReportState) =>
      call<ReportDetail>(`/api/reports/${entry.id}/decision`, {
        method: "POST",
        body: { state: decision, note },
      }),
    onSuccess: done,
  });
  const button = (name: string, onClick: () => void, isMain = false) => (
    <button
      type="button"
      className={isMain ? "button button-small button-primary" : "button button-small"}
      disabled={deciding.isPending}
      onClick={onClick}
    >
      {name}
    </button>
  );
  const decide = (decision: ReportState) => () => {
    deciding.mutate(decision);
  };
  const ask = (about: typeof asked) => () => {
    deciding.reset();
    setAsked(about);
  };
  const fault = deciding.error ? (
    <p className="field-fault" role="alert">
      {deciding.error.message}
    </p>
  ) : null;
  if (asked === "remove")
    return (
      <>
        <p>把“{entry.title}”移入回收站？访客立刻看不到它。30 天内可以恢复，之后文件也会删除。</p>
        {fault}
        <div className="dialog-actions">
          {button("取消", ask(null))}
          {button("移入回收站", decide("removed"), true)}
        </div>
      </>
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
      {fault}
      <div className="dialog-actions">
        {entry.state === "new" ? button("标为处理中", decide("in_work")) : null}
        {button("没有违规", decide("dismissed"))}
        {video && me && includes(me.role, "owner") ? button("永久下架…", ask("take-down")) : null}
        {button("移入回收站…", ask("remove"), true)}
      </div>
      {asked === "take-down" && video ? (
        <TakeDownDialog video={video} onClose={ask(null)} onDone={done} />
      ) : null}
    </>
  );
}
