import { IconCopy } from "@tabler/icons-react";
import { useRef } from "react";
import { showMessage } from "@/shared/messages/message-store.ts";
import { UUID } from "@/shared/storage/entries.ts";
import { useStored } from "@/shared/storage/use-stored.ts";
import { codeGroups } from "./code-groups.ts";

/** The old way of copying, for plain HTTP and in-app browsers without a clipboard. */
function copyBySelection(element: Element): boolean {
  window.getSelection()?.selectAllChildren(element);
  return document.execCommand("copy");
}

async function copyCode(code: string, element: Element): Promise<void> {
  try {
    await navigator.clipboard.writeText(code);
    showMessage("已复制识别码");
  } catch {
    showMessage(copyBySelection(element) ? "已复制识别码" : "复制失败，请长按识别码选取");
  }
}

/** The visitor's data code in groups that can be read aloud. */
export function CodeCard() {
  const text = useRef<HTMLParagraphElement>(null);
  const code = useStored(UUID);
  return (
    <section className="code-card" aria-label="资料识别码">
      <svg className="code-wave" viewBox="0 0 366 180" preserveAspectRatio="none" fill="none" aria-hidden="true">
        <path
          d="M-10 150c60-60 110-20 170-50s90-90 220-70M-10 170c70-50 120-20 180-46s100-80 210-60M-10 130c50-60 100-20 160-50s80-90 230-80"
          stroke="currentColor"
        />
      </svg>
      <h2>资料识别码</h2>
      <p ref={text} className="code-text" aria-label={Array.from(code).join(" ")}>
        {codeGroups(code).map(({ start, text: group }) => (
          <span key={start}>{group}</span>
        ))}
      </p>
      <p className="code-hint">它就是你的钥匙，请妥善保存，不要告诉别人。</p>
      <button
        type="button"
        className="button button-primary code-copy"
        onClick={() => text.current && void copyCode(code, text.current)}
      >
        <IconCopy size={18} stroke={2} aria-hidden="true" />
        复制
      </button>
    </section>
  );
}
