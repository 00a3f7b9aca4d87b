import { IconAlertTriangle, IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { foundCounts } from "@/features/maintenance/found.ts";
import { RemedyLink, RemedyText } from "@/features/maintenance/remedy.tsx";
import type { Health, Role } from "@/shared/api/types.ts";
import { ago } from "@/shared/format/moment.ts";

/** Findings that the overview says itself, with more. */
const SAID = new Set(["jobs-failed", "jobs-undecided"]);
const MOST_SHOWN = 5;
const ICON = { size: 22, stroke: 1.75, "aria-hidden": true } as const;

/** Whether there is a backup, and what the doctor found last. */
export function HealthRows({
  health,
  role,
}: {
  readonly health: Health;
  readonly role: Role | undefined;
}) {
  const shown = health.findings.filter(({ topic }) => !SAID.has(topic));
  const isWell = health.errors === 0 && health.warnings === 0;
  const isExamined = health.checked_at !== null;
  return (
    <ul className="rows" aria-label="备份和体检">
      <li>
        <Sign isWell={isBackedUp(health)} isError={health.is_backup_failing} />
        <p className="row-text">{backupText(health)}</p>
        {role === "owner" ? (
          <Link
            to="/backups"
            className="button button-small"
            aria-label={isBackedUp(health) ? "查看备份" : "去备份"}
          >
            {isBackedUp(health) ? "查看" : "去备份"}
          </Link>
        ) : null}
      </li>
      <li>
        <Sign isWell={isWell && isExamined && !health.is_check_old} isError={health.errors > 0} />
        <p className="row-text">{checkText(health)}</p>
        <Link to="/doctor" className="button button-small" aria-label="查看体检">
          查看
        </Link>
      </li>
      {shown.slice(0, MOST_SHOWN).map((finding) => (
        <li key={`${finding.topic} ${finding.sentence}`}>
          <Sign isWell={false} isError={finding.severity === "error"} />
          <div className="row-text">
            <p className="row-title">{finding.sentence}</p>
            {role ? (
              <>
                <RemedyText finding={finding} role={role} />
                <div className="row-buttons">
                  <RemedyLink remedy={finding.remedy} role={role} />
                </div>
              </>
            ) : null}
          </div>
        </li>
      ))}
    </ul>
  );
}

function Sign({ isWell, isError }: { readonly isWell: boolean; readonly isError: boolean }) {
  if (isError) return <IconCircleX {...ICON} className="tone-error" />;
  if (isWell) return <IconCircleCheck {...ICON} className="tone-ok" />;
  return <IconAlertTriangle {...ICON} className="tone-warning" />;
}

function isBackedUp({ backup, is_backup_failing }: Health): boolean {
  return (backup === "fresh" || backup === "elsewhere") && !is_backup_failing;
}

function backupText({ backup, backup_at, is_backup_failing, is_backup_scheduled }: Health): string {
  if (backup === "elsewhere") return "备份由 PostgreSQL 和对象存储的工具完成";
  const when = backup_at === null ? "" : ago(backup_at);
  if (is_backup_failing)
    return when ? `上一次备份失败；最近的备份：${when}` : "上一次备份失败，还没有备份";
  if (backup === "none") return "还没有备份";
  if (backup === "old") return `最近的备份太旧了：${when}`;
  return is_backup_scheduled ? `最近的备份：${when}，每天定时` : `最近的备份：${when}，没有定时`;
}

function checkText({ checked_at, is_check_old, errors, warnings }: Health): string {
  if (checked_at === null) return "还没有体检过";
  const when = ago(checked_at);
  const old = is_check_old ? "，该再体检了" : "";
  if (errors === 0 && warnings === 0) return `体检没有发现问题（${when}）${old}`;
  const found = foundCounts(errors, warnings).join("，");
  return `体检发现 ${found}（${when}）${old}`;
}
