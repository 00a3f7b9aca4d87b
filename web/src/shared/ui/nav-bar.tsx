import "./nav-bar.css";
import { IconChevronLeft } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useGoBack } from "./use-go-back.ts";

/** A screen's head: back, its title, and what it offers on the right. */
export function NavBar({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ReactNode;
}) {
  const goBack = useGoBack();
  return (
    <header className="nav-bar">
      <div className="nav-bar-inner">
        <button type="button" className="icon-button" aria-label="返回" onClick={goBack}>
          <IconChevronLeft stroke={1.75} aria-hidden="true" />
        </button>
        <h1>{title}</h1>
        <div className="nav-bar-end">{children}</div>
      </div>
    </header>
  );
}
