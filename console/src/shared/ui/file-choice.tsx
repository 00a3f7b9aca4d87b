import "@/shared/ui/picture-field.css";
import { IconFileText } from "@tabler/icons-react";
import { useId } from "react";

interface FileChoiceProps {
  readonly label: string;
  readonly hint: string;
  /** As the browser's chooser takes it. */
  readonly accept: string;
  readonly file: File | null;
  readonly onChoose: (file: File | null) => void;
  readonly fault?: string | undefined;
}

/** Chooses a file of this device. */
export function FileChoice({ label, hint, accept, file, onChoose, fault }: FileChoiceProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="picture-choice">
        <IconFileText size={20} stroke={1.75} aria-hidden="true" />
        <span>{file ? file.name : "选择文件"}</span>
        <input
          id={id}
          type="file"
          accept={accept}
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-note`}
          onChange={(event) => {
            onChoose(event.target.files?.[0] ?? null);
            // The same file, mended, may be chosen again.
            event.target.value = "";
          }}
        />
      </div>
      <div id={`${id}-note`}>
        <p className="row-meta">{hint}</p>
        {fault ? (
          <p className="field-fault" role="alert">
            {fault}
          </p>
        ) : null}
      </div>
    </div>
  );
}
