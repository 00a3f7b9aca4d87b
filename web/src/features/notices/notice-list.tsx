import "./notices.css";
import { useEffect, useRef } from "react";
import type { Notice } from "@/shared/api/model.ts";
import { Cover } from "@/shared/covers/cover.tsx";
import { formatRelativeTime } from "@/shared/format/relative-time.ts";
import { useNow } from "@/shared/ui/use-now.ts";
import { cleanHtml } from "./clean-html.ts";

interface NoticeListProps {
  readonly notices: readonly Notice[];
  /** Notices later than this are marked as new, milliseconds since 1970. */
  readonly readUntil: number;
}

/** The full notices, in a separate chunk together with their HTML sanitizer. */
export function NoticeList({ notices, readUntil }: NoticeListProps) {
  return notices.map((notice) => (
    <NoticeCard key={notice.id} notice={notice} isNew={notice.updatedAt > readUntil} />
  ));
}

function NoticeCard({ notice, isNew }: { readonly notice: Notice; readonly isNew: boolean }) {
  const body = useRef<HTMLDivElement>(null);
  const now = useNow();
  useEffect(() => body.current?.replaceChildren(cleanHtml(notice.content)), [notice.content]);
  return (
    <article className="notice-card">
      <h2>
        {isNew && <span className="notice-new" role="img" aria-label="新" />}
        {notice.title}
      </h2>
      <time dateTime={new Date(notice.updatedAt).toISOString()}>
        {formatRelativeTime(notice.updatedAt, now)}
      </time>
      {notice.image.url !== "" && (
        <div className="notice-picture" style={{ aspectRatio: notice.ratio || undefined }}>
          <Cover picture={notice.image} ratio="fill" />
        </div>
      )}
      <div ref={body} className="notice-text" />
    </article>
  );
}
