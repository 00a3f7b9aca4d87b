import "@/shared/ui/nav-bar.css";
import "./notices.css";
import { IconX } from "@tabler/icons-react";
import { lazy, Suspense, useEffect, useRef } from "react";
import { TEXT } from "@/shared/messages/texts.ts";
import { StatePanel } from "@/shared/ui/state-panel.tsx";
import { useNotices } from "./notices.ts";

const NoticeList = lazy(async () => ({ default: (await import("./notice-list.tsx")).NoticeList }));

interface NoticeOverlayProps {
  readonly readUntil: number;
  readonly onClose: () => void;
}

/** The notices over the whole screen (specification §2). */
export function NoticeOverlay({ readUntil, onClose }: NoticeOverlayProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { notices, isLoading, isError, retry } = useNotices();

  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  return (
    <dialog
      ref={dialog}
      className="overlay"
      aria-label="公告"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header className="nav-bar">
        <div className="nav-bar-inner">
          <button type="button" className="icon-button" aria-label="关闭" onClick={onClose}>
            <IconX stroke={1.75} aria-hidden="true" />
          </button>
          <h1>公告</h1>
          <span className="nav-bar-end" />
        </div>
      </header>
      <div className="notice-body">
        {notices.length > 0 && (
          <Suspense>
            <NoticeList notices={notices} readUntil={readUntil} />
          </Suspense>
        )}
        {notices.length === 0 && !isLoading && !isError && <StatePanel title={TEXT.noticesEmpty} />}
        {isError && (
          <StatePanel
            title="公告没有加载出来"
            action={
              <button type="button" className="button button-primary" onClick={retry}>
                {TEXT.listFailed}
              </button>
            }
          />
        )}
      </div>
    </dialog>
  );
}
