import { useState } from "react";
import { useContent } from "@/features/content/use-content.ts";
import { Field } from "@/shared/ui/field.tsx";

interface Named {
  readonly id: number;
  readonly name: string;
}

interface MergeFieldProps {
  /** The calls' path: `artists`. */
  readonly path: string;
  readonly row: Named;
  readonly onChoose: (into: Named) => void;
  readonly fault: string | undefined;
}

/** Finds what a row is to be merged into. */
export function MergeField({ path, row, onChoose, fault }: MergeFieldProps) {
  const [text, setText] = useState("");
  const asked = text.trim();
  const found = useContent<{ readonly data: readonly Named[] }>(
    `${path}?text=${encodeURIComponent(asked)}`,
  );
  const offered =
    asked === "" ? [] : (found.data?.data ?? []).filter(({ id }) => id !== row.id).slice(0, 5);
  return (
    <>
      <Field
        label="并入另一个（可以不写）"
        hint="写它的名称，或名称的一部分，再从找到的里选"
        fault={fault}
      >
        {(given) => (
          <input
            {...given}
            type="search"
            value={text}
            maxLength={64}
            autoComplete="off"
            onChange={(event) => {
              setText(event.target.value);
            }}
            onKeyDown={(event) => {
              // Otherwise the whole form would be sent.
              if (event.key === "Enter") event.preventDefault();
            }}
          />
        )}
      </Field>
      {offered.length > 0 ? (
        <ul className="rows" aria-label="可以并入的">
          {offered.map((one) => (
            <li key={one.id}>
              <span className="row-text row-title">{one.name}</span>
              <button
                type="button"
                className="button button-small"
                aria-label={`并入 ${one.name}`}
                onClick={() => {
                  onChoose(one);
                }}
              >
                并入
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
