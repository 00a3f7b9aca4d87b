import { BackupList } from "@/screens/backups/backup-list.tsx";
import { DrillCard } from "@/screens/backups/drill-card.tsx";
import { MakeCard } from "@/screens/backups/make-card.tsx";
import { ScheduleCard } from "@/screens/backups/schedule-card.tsx";
import { SwitchCard } from "@/screens/backups/switch-card.tsx";
import { useBackups } from "@/screens/backups/use-backups.ts";
import { Loaded } from "@/shared/ui/state.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";

/** Backups, made now and by a schedule, and restored for practice. */
export function BackupsScreen() {
  useTitle("备份");
  const backups = useBackups();
  return (
    <div className="page">
      <header className="page-head">
        <h1 className="page-title">备份</h1>
      </header>
      <Loaded query={backups}>
        {(data) => (
          <div className="columns">
            <div className="page-part">
              <MakeCard backups={data} />
              <BackupList backups={data} />
            </div>
            <div className="page-part">
              {data.obstacle ? null : <ScheduleCard backups={data} />}
              <DrillCard backups={data} />
              {data.obstacle ? null : <SwitchCard backups={data} />}
            </div>
          </div>
        )}
      </Loaded>
    </div>
  );
}
