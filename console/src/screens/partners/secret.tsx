import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useState } from "react";

interface SecretProps {
  /** What it is and how long it lasts. */
  readonly note: string;
  /** What is copied: 密钥. */
  readonly name: string;
  readonly value: string;
}

const ICON = { size: 18, stroke: 1.75, "aria-hidden": true } as const;

/** Something to hand on, with a button that copies it. */
export function Secret({ note, name, value }: SecretProps) {
  // Which value went to the clipboard: another one was not copied yet.
  const [copied, setCopied] = useState<string | null>(null);
  const [isRefused, setRefused] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(value);
      setRefused(false);
    } catch {
      setRefused(true);
    }
  };
  const isCopied = copied === value;
  return (
    <div className="field">
      <p>{note}</p>
      <p className="secret">{value}</p>
      <button type="button" className="button button-small secret-copy" onClick={() => void copy()}>
        {isCopied ? <IconCheck {...ICON} /> : <IconCopy {...ICON} />}
        {isCopied ? `已复制${name}` : `复制${name}`}
      </button>
      <p className="field-fault" role="status">
        {isRefused ? "浏览器不让复制：点上面的文字会全部选中，再手动复制" : ""}
      </p>
    </div>
  );
}
