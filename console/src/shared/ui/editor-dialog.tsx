import { type ReactNode, useState } from "react";
import { ConfirmDialog, Dialog } from "@/shared/ui/dialog.tsx";

/** Something that is done beside saving, after a question. */
export interface DialogAction {
  /** What the button says: 删除. */
  readonly name: string;
  readonly question: string;
  readonly run: () => void;
}

interface EditorDialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly onSubmit: () => void;
  readonly isBusy: boolean;
  /** What is wrong with no single field. */
  readonly fault?: string | undefined;
  readonly mayEdit: boolean;
  readonly actions?: readonly DialogAction[];
  readonly children: ReactNode;
}

/** The one form of all content pages. Whoever may only look sees it, and can change nothing. */
export function EditorDialog(props: EditorDialogProps) {
  const { title, onClose, onSubmit, isBusy, fault, mayEdit, actions = [], children } = props;
  const [asked, setAsked] = useState<DialogAction | null>(null);
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="dialog-body"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <fieldset className="dialog-body" disabled={!mayEdit}>
          {children}
        </fieldset>
        {fault ? (
          <p className="field-fault" role="alert">
            {fault}
          </p>
        ) : null}
        {mayEdit ? (
          <div className="dialog-actions save-bar">
            {actions.map((action) => (
              <button
                key={action.name}
                type="button"
                className="button button-small"
                disabled={isBusy}
                onClick={() => {
                  setAsked(action);
                }}
              >
                {action.name}
              </button>
            ))}
            <button type="submit" className="button button-small button-primary" disabled={isBusy}>
              {isBusy ? "正在保存…" : "保存"}
            </button>
          </div>
        ) : null}
      </form>
      {asked ? (
        <ConfirmDialog
          title={asked.name}
          text={asked.question}
          action={`确认${asked.name}`}
          isBusy={isBusy}
          fault={fault}
          onConfirm={() => {
            setAsked(null);
            asked.run();
          }}
          onClose={() => {
            setAsked(null);
          }}
        />
      ) : null}
    </Dialog>
  );
}
