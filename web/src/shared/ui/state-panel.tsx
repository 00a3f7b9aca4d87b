"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.

import "./state-panel.css";
import type { ReactNode } from "react";

interface StatePanelProps {
  readonly title: string;
  readonly text?: string;
  /** One action: a button, or a link with class `button`. */
  readonly action?: ReactNode;
  /** A small drawing; the emblem's film by default. */
  readonly drawing?: ReactNode;
}

/** An empty or failed screen: a small drawing, one sentence, one action. */
export function StatePanel({ title, text, action, drawing }: StatePanelProps) {
  return (
    <div className="state-panel">
      {drawing ?? <EmptyReel />}
      <p className="state-title">{title}</p>
      {text && <p className="state-text">{text}</p>}
      {action}
    </div>
  );
}

/** An empty frame of film with a play mark. */
function EmptyReel() {
  return (
    <svg className="state-drawing" viewBox="0 0 168 126" aria-hidden="true">
      <ellipse className="ground" cx="84" cy="110" rx="62" ry="8" />
      <rect className="line" x="34" y="26" width="100" height="72" rx="12" />
      <path
        className="line"
        d="M46 38h6M46 52h6M46 66h6M46 80h6M116 38h6M116 52h6M116 66h6M116 80h6"
      />
      <path className="mark" d="M76 50v24l20-12z" />
    </svg>
  );
}
