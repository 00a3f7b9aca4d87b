import { useState } from "react";
import { isOpen } from "@/features/maintenance/run-status.tsx";
import { useBackupChange } from "@/screens/backups/use-backups.ts";
import type { BackupItem, Backups } from "@/shared/api/types.ts";
import { size } from "@/shared/format/amount.ts";
import { moment } from "@/shared/format/moment.ts";
import { Badge } from "@/shared/ui/badge.tsx";
import { ConfirmDialog } from "@/shared/ui/dialog.tsx";
import { Empty } from "@/shared/ui/state.tsx";
import { backupTone } from "@/shared/ui/tones.ts";

type Asked = { readonly what: "drill" | "remove" | "download"; readonly file: BackupItem };

const QUESTIONS = {
  drill: {
    title: "演练恢复？",
    text: "把它恢复到一个新的文件夹里并检查，网站照常运行，现在的数据不变。需要与备份同样大的空间。",
    action: "开始演练",
  },
  remove: { title: "删除这个备份？", text: "删除后不能恢复。", action: "确认删除" },
  download: {
    title: "下载这个备份？",
    text: "备份里有密钥和全部数据：拿到它的人就能读出一切。只放在您自己的、加密的磁盘上。下载会写进操作记录。",
    action: "我知道，下载",
  },
} as const;

/** The backups in the folder, and what can be done with each. */
export function BackupList({ backups }: { readonly backups: Backups }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => {
    setAsked(null);
  };
  const change = useBackupChange(close);
  const ask = (what: Asked["what"], file: BackupItem) => {
    change.reset();
    setAsked({ what, file });
  };
  const confirm = ({ what, file }: Asked) => {
    const path = `/api/backups/${file.name}`;
    if (what === "drill") change.mutate({ path: `${path}/drill`, method: "POST" });
    else if (what === "remove") change.mutate({ path, method: "DELETE" });
    else {
      fetchFile(`${path}/file`, file.name);
      close();
    }
  };
  const mayDrill = backups.drill_obstacle === "" && !isOpen(backups.drill_run);
  return (
    <section className="card" aria-labelledby="files">
      <h2 id="files" className="card-title">
        已有的备份
      </h2>
      {backups.files.length === 0 ? <Empty>还没有备份</Empty> : null}
      <ul className="rows" aria-label="备份">
        {backups.files.map((file) => (
          <li key={file.name}>
            <div className="row-text">
              <div className="run-head">
                <p className="row-title">
                  {file.created_at === null ? file.name : moment(file.created_at)}
                </p>
                <Verified file={file} />
              </div>
              <p className="row-meta">
                {size(file.bytes)}，{told(file)}
              </p>
              <p className="row-meta">{file.name}</p>
              <div className="row-buttons">
                {mayDrill && file.fault === "" ? (
                  <button
                    type="button"
                    className="button button-small"
                    aria-label={`演练恢复 ${file.name}`}
                    onClick={() => {
                      ask("drill", file);
                    }}
                  >
                    演练恢复
                  </button>
                ) : null}
                <button
                  type="button"
                  className="button button-small"
                  aria-label={`下载 ${file.name}`}
                  onClick={() => {
                    ask("download", file);
                  }}
                >
                  下载
                </button>
                <button
                  type="button"
                  className="button button-small"
                  aria-label={`删除 ${file.name}`}
                  onClick={() => {
                    ask("remove", file);
                  }}
                >
                  删除
                </button>
              </div>
            </div>
          </li>
        ))}
      </ul>
      {asked ? (
        <ConfirmDialog
          {...QUESTIONS[asked.what]}
          isBusy={change.isPending}
          fault={change.error?.message}
          onConfirm={() => {
            confirm(asked);
          }}
          onClose={close}
        />
      ) : null}
    </section>
  );
}

function Verified({ file }: { readonly file: BackupItem }) {
  const isVerified = file.verified_at !== null;
  return (
    <Badge tone={backupTone(file.fault !== "", isVerified)}>
      {file.fault ? "读不出" : isVerified ? "已核对" : "没有核对"}
    </Badge>
  );
}

function told(file: BackupItem): string {
  if (file.fault) return file.fault;
  const parts = [file.is_scheduled ? "定时" : "手动"];
  if (!file.has_media) parts.push("不含视频");
  else if (!file.has_originals) parts.push("不含原片");
  if (!file.has_pictures) parts.push("不含图片");
  return parts.join("，");
}

/** The browser's own download: a backup may be larger than memory. */
function fetchFile(path: string, name: string) {
  const link = document.createElement("a");
  link.href = path;
  link.download = name;
  link.click();
}
