import { IconAlertTriangle, IconCircleX, IconInfoCircle } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { foundCounts } from "@/features/maintenance/found.ts";
import { RemedyLink, RemedyText } from "@/features/maintenance/remedy.tsx";
import { isOpen } from "@/features/maintenance/run-status.tsx";
import { call } from "@/shared/api/call.ts";
import type { DoctorReport, Finding, Role } from "@/shared/api/types.ts";
import { Badge } from "@/shared/ui/badge.tsx";
import { ConfirmDialog } from "@/shared/ui/dialog.tsx";
import { Empty } from "@/shared/ui/state.tsx";
import { examinationTone } from "@/shared/ui/tones.ts";

const ICON = { size: 22, stroke: 1.75, "aria-hidden": true } as const;
const LEVELS = [
  { severity: "error", name: "错误：访客或数据受影响" },
  { severity: "warning", name: "需要处理" },
  { severity: "info", name: "情况" },
] as const;
/** What a button does about a finding: its name, and what it asks before. */
const REPAIRS: Record<string, { readonly name: string; readonly question: string }> = {
  orphans: { name: "删除这些文件", question: "没有任何记录指向它们，删除后不能恢复。" },
  "media-misplaced": { name: "移到位", question: "文件都在，只是移到应在的位置。" },
  "media-uneven": {
    name: "补齐",
    question: "补齐画面和声音，不重新编码画面，每个视频几秒钟。",
  },
  "media-segmented": {
    name: "合并",
    question:
      "合并成一个清晰度一个文件，不重新编码；正在播放的人不受影响。旧文件再留 6 小时，期间多占一份空间。",
  },
  "search-building": { name: "接着建索引", question: "接着建搜索索引；视频很多时要几分钟。" },
  "search-missing": { name: "重写索引", question: "重写这些视频的搜索索引。" },
  "search-surplus": { name: "重写索引", question: "重写这些视频的搜索索引。" },
  "name-counts": { name: "重新数", question: "重新数艺人和标签的视频数。" },
};

/** What the doctor found, by how much it matters. */
export function FindingList({
  report,
  role,
}: {
  readonly report: DoctorReport;
  readonly role: Role;
}) {
  const [asked, setAsked] = useState<Finding | null>(null);
  const client = useQueryClient();
  const repair = useMutation({
    mutationFn: (topic: string) =>
      call<unknown>("/api/doctor/repairs", { method: "POST", body: { topic } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["doctor"] });
      setAsked(null);
    },
  });
  const isBusy = isOpen(report.repair) || isOpen(report.run);
  const question = asked === null ? undefined : REPAIRS[asked.topic];
  return (
    <section className="card" aria-labelledby="findings">
      <div className="card-head">
        <h2 id="findings" className="card-title">
          结果
        </h2>
        {report.checked_at === null ? null : (
          <Badge tone={examinationTone(report.errors, report.warnings)}>
            {foundCounts(report.errors, report.warnings).join(" · ") || "没有问题"}
          </Badge>
        )}
      </div>
      {report.checked_at === null ? <Empty>还没有体检过</Empty> : null}
      {LEVELS.map(({ severity, name }) => {
        const found = report.findings.filter(({ finding }) => finding.severity === severity);
        if (found.length === 0) return null;
        return (
          <div key={severity} className="run">
            <h3 className="row-meta">{name}</h3>
            <ul className="rows" aria-label={name}>
              {found.map(({ finding, is_repairable }) => (
                <li key={`${finding.topic} ${finding.sentence}`}>
                  <Sign finding={finding} />
                  <div className="row-text">
                    <p className="row-title">{finding.sentence}</p>
                    <RemedyText finding={finding} role={role} />
                    <div className="row-buttons">
                      {is_repairable && REPAIRS[finding.topic] ? (
                        <button
                          type="button"
                          className="button button-small"
                          disabled={isBusy}
                          onClick={() => {
                            repair.reset();
                            setAsked(finding);
                          }}
                        >
                          {REPAIRS[finding.topic]?.name}
                        </button>
                      ) : null}
                      <RemedyLink remedy={finding.remedy} role={role} />
                    </div>
                  </div>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
      {asked && question ? (
        <ConfirmDialog
          title={`${question.name}？`}
          text={`${asked.sentence}。${question.question}之后会再体检一次。`}
          action={`确认${question.name}`}
          isBusy={repair.isPending}
          fault={repair.error?.message}
          onConfirm={() => {
            repair.mutate(asked.topic);
          }}
          onClose={() => {
            setAsked(null);
          }}
        />
      ) : null}
    </section>
  );
}

function Sign({ finding: { severity } }: { readonly finding: Finding }) {
  if (severity === "error") return <IconCircleX {...ICON} className="tone-error" />;
  if (severity === "warning") return <IconAlertTriangle {...ICON} className="tone-warning" />;
  return <IconInfoCircle {...ICON} className="tone-info" />;
}
