import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { call } from "@/shared/api/call.ts";
import { useFileAddress } from "@/shared/ui/picture-field.tsx";

const TYPING_MS = 400;

interface NoticePreviewProps {
  readonly title: string;
  readonly content: string;
  readonly file: File | null;
  readonly picture: string | null;
}

/** A notice as visitors read it: the server says what of it stays. */
export function NoticePreview({ title, content, file, picture }: NoticePreviewProps) {
  const asked = useSettled(content);
  const cleaned = useQuery({
    queryKey: ["notice-preview", asked],
    queryFn: ({ signal }) =>
      call<{ content: string }>("/api/notices/preview", {
        method: "POST",
        body: { content: asked },
        signal,
      }),
    placeholderData: keepPreviousData,
    enabled: asked !== "",
  });
  const shown = useFileAddress(file) ?? picture;
  const body = useRef<HTMLDivElement>(null);
  const markup = cleaned.data?.content ?? "";
  useEffect(() => {
    body.current?.replaceChildren(...fragmentOf(markup));
  }, [markup]);
  return (
    <section className="preview" aria-label="访客看到的样子">
      <p className="row-meta">访客看到的样子</p>
      <p className="card-title">{title || "（标题）"}</p>
      {shown ? <img className="preview-picture" src={shown} alt="公告的图片" /> : null}
      <div ref={body} />
    </section>
  );
}

/** What the server sanitized; a document without a window runs nothing of it. */
function fragmentOf(markup: string): ChildNode[] {
  return [...new DOMParser().parseFromString(markup, "text/html").body.childNodes];
}

/** A text once nobody has typed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled(text);
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [text]);
  return settled;
}
