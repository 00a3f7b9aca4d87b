import "./age-question.css";
import { useEffect, useId, useRef } from "react";
import { Emblem } from "@/shared/ui/emblem.tsx";

interface AgeQuestionProps {
  readonly title: string;
  readonly text: string;
  /** Over everything, because the whole site is gated. */
  readonly isWhole: boolean;
  readonly onConfirm: () => void;
  readonly onLeave: () => void;
}

/** Asks once whether the visitor is of age. Nothing behind it can be reached meanwhile. */
export function AgeQuestion({ title, text, isWhole, onConfirm, onLeave }: AgeQuestionProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="age-question"
      data-whole={isWhole}
      aria-labelledby={`${id}title`}
      aria-describedby={`${id}text`}
      onCancel={(event) => {
        event.preventDefault();
        if (!isWhole) onLeave();
      }}
    >
      <div className="age-question-card">
        <Emblem className="age-question-emblem" />
        {/* The focus waits here, so that no key pressed before answers. */}
        <h2 id={`${id}title`} tabIndex={-1} autoFocus>
          {title}
        </h2>
        <p id={`${id}text`}>{text}</p>
        <button type="button" className="button button-primary" onClick={onConfirm}>
          我已满18岁
        </button>
        <button type="button" className="button" onClick={onLeave}>
          离开
        </button>
        <small>你的回答只保存在这台设备上</small>
      </div>
    </dialog>
  );
}
