import "./code-dialog.css";
import { IconAlertTriangle, IconX } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { showMessage } from "@/shared/messages/message-store.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import { createThrottle } from "@/shared/throttle.ts";
import { isGuessable, MAX_CODE_LENGTH, tryChangeCode } from "./code-change.ts";

/** Changes the data code (specification §5), or switches to one from another device. */
export function CodeDialog({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isUnderWay = useRef(false);
  const [passes] = useState(() => createThrottle());
  const [wanted, setWanted] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  const submit = async () => {
    if (isUnderWay.current || !passes()) return;
    isUnderWay.current = true;
    const result = await tryChangeCode(wanted, Date.now());
    isUnderWay.current = false;
    if (!result.isChanged) return setProblem(result.problem);
    onClose();
    showMessage(TEXT.codeChanged(result.left));
  };
  return (
    <dialog
      ref={dialog}
      className="code-dialog"
      aria-label="更换识别码"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <header>
          <h2>更换识别码</h2>
          <button type="button" className="icon-button" aria-label="关闭" onClick={onClose}>
            <IconX size={20} stroke={2} aria-hidden="true" />
          </button>
        </header>
        <p id="code-rules">
          6 ~ 12 位小写字母或数字。输入你在别的设备上的识别码，就能找回那里的收藏；24 小时内可更改 2
          次。
        </p>
        <input
          type="text"
          name="code"
          value={wanted}
          maxLength={MAX_CODE_LENGTH}
          placeholder="新的资料识别码"
          aria-label="新的资料识别码"
          aria-describedby="code-rules code-problem"
          aria-invalid={problem !== null}
          autoCapitalize="none"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          onChange={(event) => {
            setWanted(event.target.value);
            setProblem(null);
          }}
        />
        <p
          id="code-problem"
          className={`code-problem ${isGuessable(wanted) ? "is-before-warning" : ""}`}
          role="alert"
        >
          {problem && (
            <>
              <IconAlertTriangle size={16} stroke={2} aria-hidden="true" />
              {problem}
            </>
          )}
        </p>
        {isGuessable(wanted) && (
          <p className="code-warning" role="status">
            识别码较短，容易被别人猜到并看到你的收藏，建议使用 10 位以上。
          </p>
        )}
        <div className="code-dialog-end">
          <button type="button" className="button" onClick={onClose}>
            取消
          </button>
          <button type="submit" className="button button-primary">
            {isGuessable(wanted) ? "仍要更换" : "确定"}
          </button>
        </div>
      </form>
    </dialog>
  );
}
