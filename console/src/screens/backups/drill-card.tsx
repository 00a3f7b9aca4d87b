import { useState } from "react";
import { Commands } from "@/features/maintenance/commands.tsx";
import { RunStatus } from "@/features/maintenance/run-status.tsx";
import { useBackupChange } from "@/screens/backups/use-backups.ts";
import type { Backups, Drill } from "@/shared/api/types.ts";
import { grouped, size } from "@/shared/format/amount.ts";
import { moment } from "@/shared/format/moment.ts";
import { ConfirmDialog } from "@/shared/ui/dialog.tsx";

/** What drilled restores found, and how one would switch to a backup. */
export function DrillCard({ backups }: { readonly backups: Backups }) {
  const [removed, setRemoved] = useState<Drill | null>(null);
  const close = () => {
    setRemoved(null);
  };
  const change = useBackupChange(close);
  const { drill_run: run, drills, drill_obstacle: obstacle } = backups;
  return (
    <section className="card" aria-labelledby="drills">
      <h2 id="drills" className="card-title">
        恢复演练
      </h2>
      {obstacle ? (
        <>
          <p className="note">{obstacle}</p>
          <Commands label="演练的命令" lines={backups.drill_commands} />
        </>
      ) : null}
      {run?.state === "done" && drills.length > 0 ? (
        // What came of it stands below, whole: only whoever does not see is told that it ended.
        <p className="sr-only" role="status" aria-label="上一次演练">
          演练完成
        </p>
      ) : run ? (
        <RunStatus run={run} label="演练" queryKey="backups" />
      ) : null}
      {!obstacle && !run ? (
        <p className="page-lead">没有恢复过的备份，不算备份。选一个备份，点“演练恢复”。</p>
      ) : null}
      {drills.map((drill, place) => (
        <details key={drill.name} open={place === 0} className="drill">
          <summary className="row-title">
            {moment(drill.at)}：{drill.found.findings.length === 0 ? "可以恢复" : "恢复了，有问题"}
          </summary>
          <DrillReport
            drill={drill}
            onRemove={() => {
              change.reset();
              setRemoved(drill);
            }}
          />
        </details>
      ))}
      {removed ? (
        <ConfirmDialog
          title="删除演练的文件？"
          text={`${removed.folder} 将被删除；备份本身和现在的数据不变。`}
          action="确认删除"
          isBusy={change.isPending}
          fault={change.error?.message}
          onConfirm={() => {
            change.mutate({ path: `/api/drills/${removed.name}`, method: "DELETE" });
          }}
          onClose={close}
        />
      ) : null}
    </section>
  );
}

function DrillReport({
  drill: { file, folder, found },
  onRemove,
}: {
  readonly drill: Drill;
  readonly onRemove: () => void;
}) {
  return (
    <div className="run">
      <p className="row-meta">{file}</p>
      <p>
        用时 {found.seconds} 秒；{grouped(found.files)} 个文件（{size(found.bytes)}）的 SHA-256
        全部相符{found.has_media ? "" : "；备份不含视频文件，没有检查它们"}。
      </p>
      <table className="counts">
        <thead>
          <tr>
            <th scope="col">记录</th>
            <th scope="col">恢复的</th>
            <th scope="col">演练时网站的</th>
          </tr>
        </thead>
        <tbody>
          {found.counts.map(({ name, restored, running }) => (
            <tr key={name}>
              <td>{name}</td>
              <td>{grouped(restored)}</td>
              <td>{grouped(running)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ul className="rows" aria-label="演练查出的问题">
        {found.findings.map(({ topic, sentence }) => (
          <li key={`${topic} ${sentence}`}>
            <p className="row-text">{sentence}</p>
          </li>
        ))}
      </ul>
      {folder ? (
        <>
          <p className="row-meta">文件在 {folder}</p>
          <button type="button" className="button button-small" onClick={onRemove}>
            删除演练的文件
          </button>
        </>
      ) : (
        <p className="row-meta">演练的文件已删除。</p>
      )}
    </div>
  );
}
