import { useState } from "react";
import { DailyField } from "@/features/maintenance/daily-field.tsx";
import { RunStatus } from "@/features/maintenance/run-status.tsx";
import {
  CONTENTS,
  type Contents,
  contentsOf,
  given,
  isContents,
} from "@/screens/backups/contents.ts";
import { useBackupChange } from "@/screens/backups/use-backups.ts";
import type { Backups } from "@/shared/api/types.ts";
import { Field } from "@/shared/ui/field.tsx";

const KEPT = [1, 2, 3, 5, 7, 14, 30, 60, 90] as const;

/** When a backup is made daily, and how the last one went. */
export function ScheduleCard({ backups }: { readonly backups: Backups }) {
  const { schedule } = backups;
  const [time, setTime] = useState({ is_on: schedule.is_on, minute: schedule.minute });
  const [kept, setKept] = useState(schedule.kept);
  const [contents, setContents] = useState<Contents>(
    contentsOf(schedule.with_media, schedule.with_originals),
  );
  const save = useBackupChange();
  const body = { ...time, kept, ...given(contents) };
  return (
    <section className="card" aria-labelledby="schedule">
      <h2 id="schedule" className="card-title">
        定时备份
      </h2>
      <DailyField
        label="每天几点"
        off="不定时备份"
        hint="按这个浏览器的时区；控制台没有运行时错过的，启动后补做一次"
        minute={time.minute}
        isOn={time.is_on}
        onChange={(isOn, minute) => {
          save.reset();
          setTime({ is_on: isOn, minute });
        }}
      />
      <Field label="保留几个" hint="只删除旧的定时备份，手动做的从不自动删除">
        {(tied) => (
          <select
            {...tied}
            value={kept}
            onChange={({ target }) => {
              save.reset();
              setKept(Number(target.value));
            }}
          >
            {[...new Set([...KEPT, schedule.kept])]
              .sort((a, b) => a - b)
              .map((number) => (
                <option key={number} value={number}>
                  {number} 个
                </option>
              ))}
          </select>
        )}
      </Field>
      {backups.has_bucket ? null : (
        <Field label="定时备份什么">
          {(tied) => (
            <select
              {...tied}
              value={contents}
              onChange={({ target }) => {
                save.reset();
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
      {save.error ? (
        <p className="field-fault" role="alert">
          {save.error.message}
        </p>
      ) : null}
      <button
        type="button"
        className="button button-start"
        disabled={save.isPending}
        onClick={() => {
          save.mutate({ path: "/api/backups/schedule", method: "PUT", body });
        }}
      >
        保存
      </button>
      <p className="row-meta" role="status">
        {save.isSuccess ? "已保存。" : schedule.last_run ? "" : "还没有定时备份过。"}
      </p>
      {schedule.last_run && schedule.last_run.id !== backups.run?.id ? (
        <RunStatus run={schedule.last_run} label="定时备份" queryKey="backups" />
      ) : null}
    </section>
  );
}
