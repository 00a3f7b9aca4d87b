import "./notices.css";
import { IconBell, IconChevronRight } from "@tabler/icons-react";
import type { Notice } from "@/shared/api/model.ts";

/** Titles shown on /mine (specification §2). */
const LATEST = 2;

interface NoticeBarProps {
  readonly notices: readonly Notice[];
  readonly onOpen: () => void;
}

/** The two latest notices; a tap opens them all. */
export function NoticeBar({ notices, onOpen }: NoticeBarProps) {
  if (notices.length === 0) return null;
  return (
    <button type="button" className="notice-bar" onClick={onOpen}>
      <IconBell size={20} stroke={1.75} aria-hidden="true" />
      <span className="notice-titles">
        {notices.slice(0, LATEST).map(({ id, title }) => (
          <span key={id}>{title}</span>
        ))}
      </span>
      <IconChevronRight size={18} stroke={2} aria-hidden="true" />
    </button>
  );
}
