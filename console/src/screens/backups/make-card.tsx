import { useState } from "react";
import { Commands } from "@/features/maintenance/commands.tsx";
import { isOpen, RunStatus } from "@/features/maintenance/run-status.tsx";
import { CONTENTS, type Contents, given, isContents } from "@/screens/backups/contents.ts";
import { useBackupChange } from "@/screens/backups/use-backups.ts";
import type { Backups } from "@/shared/api/types.ts";
import { size } from "@/shared/format/amount.ts";
import { Field } from "@/shared/ui/field.tsx";

/** A backup now, or which command makes it. */
export function MakeCard({ backups }: { readonly backups: Backups }) {
  const [contents, setContents] = useState<Contents>("all");
  const make = useBackupChange();
  const { run, obstacle } = backups;
  return (
    <section className="card" aria-labelledby="make">
      <h2 id="make" className="card-title">
        现在备份
      </h2>
      {obstacle ? (
        <>
          <p className="note">{obstacle}</p>
          {backups.commands.length > 0 ? (
            <>
              <Commands label="备份的命令" lines={backups.commands} />
              <p className="row-meta">
                怎样设置，见运维文档“数据库的备份，以及恢复到某一刻”；桶请用它自己的版本或复制来保护。
              </p>
            </>
          ) : null}
        </>
      ) : (
        <>
          {run ? <RunStatus run={run} label="备份" queryKey="backups" /> : null}
          {isOpen(run) ? null : (
            <>
              {backups.has_bucket ? (
                <p className="note">
                  视频、原片和图片在对象存储里，不会写进备份：这里备份数据库和密钥，桶请用它自己的版本或复制来保护。
                </p>
              ) : (
                <Field label="备份什么（数据库和密钥总是在内）">
                  {(tied) => (
                    <select
                      {...tied}
                      value={contents}
                      onChange={({ target }) => {
                        if (isContents(target.value)) setContents(target.value);
                      }}
                    >
                      {CONTENTS.map(({ value, name }) => (
                        <option key={value} value={value}>
                          {name}
                        </option>
                      ))}
                    </select>
                  )}
                </Field>
              )}
              <button
                type="button"
                className="button button-primary button-start"
                disabled={make.isPending}
                onClick={() => {
                  make.mutate({ path: "/api/backups", method: "POST", body: given(contents) });
                }}
              >
                现在备份
              </button>
            </>
          )}
          {make.error ? (
            <p className="field-fault" role="alert">
              {make.error.message}
            </p>
          ) : null}
          <p className="row-meta">
            放在 {backups.folder}，那里还有 {size(backups.free_bytes)}。
            {backups.is_beside_data
              ? "它和数据在同一块磁盘上，磁盘坏了会一起丢：请下载，或用 LIUYING_BACKUP_DIR 换到另一块磁盘。"
              : ""}
          </p>
        </>
      )}
    </section>
  );
}
