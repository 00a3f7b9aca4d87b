import { IconUpload } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { ACCEPTED } from "@/features/uploads/films.ts";

/** Where files are chosen; they may be dropped anywhere on the page. */
export function DropZone({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const chooser = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const take = useEffectEvent(onFiles);
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    // Otherwise the browser opens the file in place of the page.
    const over = (event: DragEvent) => {
      event.preventDefault();
      setIsOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setIsOver(false);
    };
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setIsOver(false);
      take([...(event.dataTransfer?.files ?? [])]);
    };
    window.addEventListener("dragover", over, { signal });
    window.addEventListener("dragleave", leave, { signal });
    window.addEventListener("drop", drop, { signal });
    return () => {
      ended.abort();
    };
  }, []);
  return (
    <section className="drop-zone" aria-label="选择文件" data-over={isOver || undefined}>
      <button
        type="button"
        className="button button-primary drop-zone-button"
        onClick={() => {
          chooser.current?.click();
        }}
      >
        <IconUpload size={22} stroke={1.75} aria-hidden="true" />
        选择视频
      </button>
      <p className="page-lead">
        <span className="drop-zone-hint">也可以把文件拖到这里。</span>
        字幕、封面、.json 和 .nfo 与视频同名，一起选中就会一起导入。
      </p>
      <p className="row-meta">断网或关掉页面也不要紧：回来选同一个文件，从断开的地方继续。</p>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        accept={ACCEPTED}
        aria-label="视频和附带的文件"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = "";
        }}
      />
    </section>
  );
}
