import "./about-video.css";
import { IconChevronDown } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import type { Chapter, PlayInfo } from "@/player/play-info.ts";
import { seekPlayback } from "@/player/session-slot.ts";
import { formatPlayTime } from "@/shared/format/play-time.ts";

type About = Pick<PlayInfo, "description" | "premieredAt" | "chapters">;

/** What the video is about, when it was shown first, and its chapters; nothing where none is said. */
export function AboutVideo({ about }: { readonly about: About }) {
  const { description, premieredAt, chapters } = about;
  if (!description && premieredAt === null && chapters.length === 0) return null;
  return (
    <section className="video-about" aria-label="简介">
      {premieredAt !== null && (
        <p className="video-premiere">首播 {new Date(premieredAt).toLocaleDateString("zh-CN")}</p>
      )}
      {description && <Description text={description} />}
      {chapters.length > 0 && <ChapterList chapters={chapters} />}
    </section>
  );
}

/** Two lines of it until the visitor asks for the rest. */
function Description({ text }: { readonly text: string }) {
  const [isOpen, setOpen] = useState(false);
  const [isLong, setLong] = useState(false);
  const words = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const shown = words.current;
    if (shown && !isOpen) setLong(shown.scrollHeight > shown.clientHeight + 1);
  }, [isOpen]);
  return (
    <>
      <p ref={words} className="video-description" data-open={isOpen}>
        {text}
      </p>
      {isLong && (
        <button
          type="button"
          className="video-unfold"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "收起" : "展开简介"}
          <IconChevronDown size={16} stroke={1.75} aria-hidden="true" />
        </button>
      )}
    </>
  );
}

/** A tap goes there and plays on. */
function ChapterList({ chapters }: { readonly chapters: readonly Chapter[] }) {
  return (
    <ol className="video-chapters" aria-label="章节">
      {chapters.map(({ start, title }) => (
        <li key={`${start} ${title}`}>
          <button type="button" onClick={() => seekPlayback(start)}>
            <time>{formatPlayTime(start)}</time>
            <span>{title}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}
