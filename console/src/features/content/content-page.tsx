import "@/features/content/content.css";
import { IconChevronLeft, IconPlus } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useMayEdit } from "@/features/content/use-content.ts";
import { useTitle } from "@/shared/ui/use-title.ts";

interface ContentPageProps {
  readonly title: string;
  /** What the page is for, in a sentence. */
  readonly lead: string;
  /** What the button for a new one says; left out where none can be made. */
  readonly add?: string;
  readonly onAdd?: () => void;
  /** What went wrong with something that has no form of its own. */
  readonly fault?: string | undefined;
  readonly children: ReactNode;
}

/** The frame of all content pages. */
export function ContentPage(props: ContentPageProps) {
  const { title, lead, add, onAdd, fault, children } = props;
  const mayEdit = useMayEdit();
  useTitle(title);
  return (
    <div className="page">
      <Link to="/content" className="back-link">
        <IconChevronLeft size={20} stroke={1.75} aria-hidden="true" />
        返回内容
      </Link>
      <header className="page-head">
        <h1 className="page-title">{title}</h1>
        {add && mayEdit ? (
          <button type="button" className="button button-small button-primary" onClick={onAdd}>
            <IconPlus size={18} stroke={2} aria-hidden="true" />
            {add}
          </button>
        ) : null}
      </header>
      <p className="page-lead">{lead}</p>
      {fault ? (
        <p className="field-fault" role="alert">
          {fault}
        </p>
      ) : null}
      {children}
    </div>
  );
}
