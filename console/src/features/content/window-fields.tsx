import type { UseFormRegisterReturn } from "react-hook-form";
import { Field } from "@/shared/ui/field.tsx";

/** From when until when something is shown; both may be left empty. */
export function WindowFields({
  starts,
  ends,
  startFault,
  endFault,
}: {
  readonly starts: UseFormRegisterReturn;
  readonly ends: UseFormRegisterReturn;
  readonly startFault: string | undefined;
  readonly endFault: string | undefined;
}) {
  return (
    <>
      <Field label="开始时间" hint="留空：马上开始" fault={startFault}>
        {(given) => <input {...given} type="datetime-local" {...starts} />}
      </Field>
      <Field label="结束时间" hint="留空：一直显示" fault={endFault}>
        {(given) => <input {...given} type="datetime-local" {...ends} />}
      </Field>
    </>
  );
}
