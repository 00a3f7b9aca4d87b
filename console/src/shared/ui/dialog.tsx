import "@/shared/ui/dialog.css";
import { IconX } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef } from "react";

/** A modal dialog that is open as long as it is drawn. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current?.showModal();
  }, []);
  return (
    <dialog
      ref={element}
      className="dialog"
      aria-label={title}
      onClose={(event) => {
        // One that lies on top of this one closes for itself.
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className="dialog-body">
        <header className="dialog-head">
          <h2 className="card-title">{title}</h2>
          <button type="button" className="dialog-close" aria-label="关闭" onClick={onClose}>
            <IconX size={20} stroke={1.75} aria-hidden="true" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** Asks before something is done that others feel. */
export function ConfirmDialog({
  title,
  text,
  action,
  isBusy,
  fault,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string;
  readonly text: string;
  /** What the button says: 结束登录. */
  readonly action: string;
  readonly isBusy: boolean;
  readonly fault: string | undefined;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** What is to be looked at before the answer. */
  readonly children?: ReactNode;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <p className="page-lead">{text}</p>
      {fault ? (
        <p className="field-fault" role="alert">
          {fault}
        </p>
      ) : null}
      <div className="dialog-actions">
        <button type="button" className="button button-small" onClick={onClose}>
          取消
        </button>
        <button
          type="button"
          className="button button-small button-primary"
          disabled={isBusy}
          onClick={onConfirm}
        >
          {action}
        </button>
      </div>
    </Dialog>
  );
}
