import { useState } from "react";
import { dailyTimes } from "@/features/maintenance/daily.ts";
import { Field } from "@/shared/ui/field.tsx";

const OFF = "off";

/** At which time of day something is done, or that it is not. */
export function DailyField({
  label,
  off,
  hint,
  fault,
  minute,
  isOn,
  onChange,
}: {
  readonly label: string;
  /** What it is called where it is not done: 不定时备份. */
  readonly off: string;
  readonly hint: string;
  readonly fault?: string | undefined;
  /** Of the day, UTC; kept while it is off. */
  readonly minute: number;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean, minute: number) => void;
}) {
  const [offset] = useState(() => new Date().getTimezoneOffset());
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(tied) => (
        <select
          {...tied}
          value={isOn ? minute : OFF}
          onChange={({ target: { value } }) => {
            if (value === OFF) onChange(false, minute);
            else onChange(true, Number(value));
          }}
        >
          <option value={OFF}>{off}</option>
          {dailyTimes(minute, offset).map((time) => (
            <option key={time.minute} value={time.minute}>
              {time.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
