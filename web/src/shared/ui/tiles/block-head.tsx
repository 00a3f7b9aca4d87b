"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.

import "./block-head.css";
import { IconChevronRight } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "@/shared/navigation/navigation.tsx";

/** A block's heading, with a note and what stands at its end. */
export function BlockHead({
  title,
  note,
  children,
}: {
  readonly title: string;
  readonly note?: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className="block-head">
      <h2>
        {title}
        {note && <small>{note}</small>}
      </h2>
      {children}
    </div>
  );
}

/** 更多, leading to the whole list. */
export function MoreLink({ to, label }: { readonly to: string; readonly label: string }) {
  return (
    <Link className="block-more" to={to} aria-label={`更多${label}`}>
      更多
      <IconChevronRight size={16} stroke={2} aria-hidden="true" />
    </Link>
  );
}
