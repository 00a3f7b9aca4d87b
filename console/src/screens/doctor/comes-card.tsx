import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { DailyField } from "@/features/maintenance/daily-field.tsx";
import { call } from "@/shared/api/call.ts";
import type { DoctorReport } from "@/shared/api/types.ts";

/** When the doctor comes by himself. */
export function ComesCard({ report }: { readonly report: DoctorReport }) {
  const [time, setTime] = useState({ is_on: report.is_on, minute: report.minute });
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: () => call<null>("/api/doctor/schedule", { method: "PUT", body: time }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["doctor"] }),
  });
  return (
    <section className="card" aria-labelledby="comes">
      <h2 id="comes" className="card-title">
        定时体检
      </h2>
      <DailyField
        label="每天几点"
        off="不定时体检"
        hint="按这个浏览器的时区"
        fault={save.error?.message}
        minute={time.minute}
        isOn={time.is_on}
        onChange={(isOn, minute) => {
          save.reset();
          setTime({ is_on: isOn, minute });
        }}
      />
      <button
        type="button"
        className="button button-start"
        disabled={save.isPending}
        onClick={() => {
          save.mutate();
        }}
      >
        保存
      </button>
      <p className="row-meta" role="status">
        {save.isSuccess ? "已保存。" : ""}
      </p>
    </section>
  );
}
