import { type ReactNode, useId } from "react";

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly fault?: string | undefined;
  /** The control; `given` ties it to its label and to what is wrong with it. */
  readonly children: (given: {
    readonly id: string;
    readonly "aria-invalid": boolean;
    readonly "aria-describedby": string;
  }) => ReactNode;
}

/** A control with its label, a hint, and what is wrong with it. */
export function Field({ label, hint, fault, children }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, "aria-invalid": fault !== undefined, "aria-describedby": `${id}-note` })}
      <div id={`${id}-note`}>
        {hint ? <p className="row-meta">{hint}</p> : null}
        {fault ? (
          <p className="field-fault" role="alert">
            {fault}
          </p>
        ) : null}
      </div>
    </div>
  );
}
