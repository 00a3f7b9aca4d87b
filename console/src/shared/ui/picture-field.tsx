import "@/shared/ui/picture-field.css";
import { IconPhoto } from "@tabler/icons-react";
import { useEffect, useId, useState } from "react";

/** What the server takes, in bytes. */
export const LARGEST_PICTURE = 8 * 1024 * 1024;
const KINDS = "image/jpeg,image/png,image/webp,image/gif";

interface PictureFieldProps {
  readonly label: string;
  /** What fits: 1280×557，JPEG、PNG…. */
  readonly hint: string;
  /** Where the stored picture is shown; null without one. */
  readonly stored: string | null;
  readonly file: File | null;
  readonly onChoose: (file: File | null) => void;
  /** Takes the stored picture away; left out where one is needed. */
  readonly onRemove?: (() => void) | undefined;
  readonly fault?: string | undefined;
  /** Width by height of the place where it is shown. */
  readonly ratio: number;
  /** What lies on the picture where it is shown. */
  readonly caption?: string;
}

/** Chooses a picture, and shows it as it will be cut where visitors see it. */
export function PictureField(props: PictureFieldProps) {
  const { label, hint, stored, file, onChoose, onRemove, fault, ratio, caption } = props;
  const id = useId();
  const chosen = useFileAddress(file);
  const shown = chosen ?? stored;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {shown ? (
        <div className="picture-frame" style={{ aspectRatio: ratio }}>
          <img src={shown} alt={`${label}预览`} />
          {caption ? <span className="picture-caption">{caption}</span> : null}
        </div>
      ) : null}
      <div className="picture-choice">
        <IconPhoto size={20} stroke={1.75} aria-hidden="true" />
        <span>{file ? file.name : shown ? "换一张图片" : "选择图片"}</span>
        <input
          id={id}
          type="file"
          accept={KINDS}
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-hint`}
          onChange={(event) => {
            onChoose(event.target.files?.[0] ?? null);
          }}
        />
      </div>
      <p id={`${id}-hint`} className="row-meta">
        {hint}
      </p>
      {onRemove && stored && !file ? (
        <button type="button" className="button button-small picture-remove" onClick={onRemove}>
          去掉图片
        </button>
      ) : null}
      {fault ? (
        <p className="field-fault" role="alert">
          {fault}
        </p>
      ) : null}
    </div>
  );
}

/** An address of a chosen file, for as long as it is shown. */
export function useFileAddress(file: File | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!file) return;
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => {
      URL.revokeObjectURL(made);
      setAddress(null);
    };
  }, [file]);
  return address;
}
