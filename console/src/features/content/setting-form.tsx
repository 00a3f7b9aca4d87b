import type { ReactNode } from "react";

interface SettingFormProps {
  readonly title: string;
  readonly isBusy: boolean;
  /** The last change was saved. */
  readonly isSaved: boolean;
  /** What is wrong with no single field. */
  readonly fault: string | undefined;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** A card whose values are saved together, on its page instead of in a dialog. */
export function SettingForm(props: SettingFormProps) {
  const { title, isBusy, isSaved, fault, onSubmit, children } = props;
  return (
    <form
      className="card"
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <h2 className="card-title">{title}</h2>
      {children}
      {fault ? (
        <p className="field-fault" role="alert">
          {fault}
        </p>
      ) : null}
      <button type="submit" className="button button-primary" disabled={isBusy}>
        {isBusy ? "正在保存" : "保存"}
      </button>
      <p role="status">{isSaved ? "已保存" : ""}</p>
    </form>
  );
}
