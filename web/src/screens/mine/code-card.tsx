import "./code-card.css";
import { IconCopy, IconPencil } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { Sheet } from "@/features/list/sheet.tsx";
import { showMessage } from "@/shared/messages/message-store.ts";
import { QrCode } from "@/shared/qr/qr-code.tsx";
import { copyText, shareAbilities } from "@/shared/share-link.ts";
import { UUID } from "@/shared/storage/entries.ts";
import { useStored } from "@/shared/storage/use-stored.ts";
import { CodeDialog } from "./code-dialog.tsx";
import { codeGroups } from "./code-groups.ts";

/**
 * The visitor's data code in groups that can be read aloud, as a QR code, to copy and to change.
 */
export function CodeCard() {
  const text = useRef<HTMLParagraphElement>(null);
  const code = useStored(UUID);
  const [open, setOpen] = useState<"qr" | "change" | null>(null);
  const close = () => setOpen(null);
  const copy = async () => {
    if (await copyText(code, shareAbilities())) return showMessage("已复制识别码");
    // Selected, so that a long press copies it.
    if (text.current) window.getSelection()?.selectAllChildren(text.current);
    showMessage("复制失败，请长按识别码选取");
  };
  return (
    <section className="code-card" aria-label="资料识别码">
      <svg
        className="code-wave"
        viewBox="0 0 366 180"
        preserveAspectRatio="none"
        fill="none"
        aria-hidden="true"
      >
        <path
          d="M-10 150c60-60 110-20 170-50s90-90 220-70M-10 170c70-50 120-20 180-46s100-80 210-60M-10 130c50-60 100-20 160-50s80-90 230-80"
          stroke="currentColor"
        />
      </svg>
      <div className="code-top">
        <div>
          <h2>资料识别码</h2>
          <CodeText code={code} textRef={text} />
          <p className="code-hint">换手机或换浏览器时，输入它就能找回收藏；不要告诉别人。</p>
        </div>
        {code && (
          <button
            type="button"
            className="code-qr"
            aria-label="放大识别码二维码"
            onClick={() => setOpen("qr")}
          >
            <QrCode text={code} label="识别码二维码" />
          </button>
        )}
      </div>
      <div className="code-actions">
        <button type="button" className="button button-primary" onClick={() => void copy()}>
          <IconCopy size={18} stroke={2} aria-hidden="true" />
          复制
        </button>
        <button type="button" className="button" onClick={() => setOpen("change")}>
          <IconPencil size={18} stroke={2} aria-hidden="true" />
          更换
        </button>
      </div>
      {open === "qr" && <QrSheet code={code} onClose={close} />}
      {open === "change" && <CodeDialog onClose={close} />}
    </section>
  );
}

interface CodeTextProps {
  readonly code: string;
  readonly textRef?: React.Ref<HTMLParagraphElement>;
}

function CodeText({ code, textRef }: CodeTextProps) {
  return (
    <p ref={textRef} className="code-text" aria-label={Array.from(code).join(" ")}>
      {codeGroups(code).map(({ start, text }) => (
        <span key={start}>{text}</span>
      ))}
    </p>
  );
}

function QrSheet({ code, onClose }: { readonly code: string; readonly onClose: () => void }) {
  return (
    <Sheet label="识别码二维码" onClose={onClose}>
      <div className="code-sheet">
        <div className="code-sheet-qr">
          <QrCode text={code} label="识别码二维码" />
        </div>
        <CodeText code={code} />
        <p>用另一台设备扫一扫得到识别码，再在那里的「我的 · 更换」中输入。</p>
        <button type="button" className="button" onClick={onClose}>
          关闭
        </button>
      </div>
    </Sheet>
  );
}
