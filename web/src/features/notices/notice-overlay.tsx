import "./notices.css";
import { Suspense } from "react";
import { showMessage } from "@/shared/messages/message-store.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import { optionalPart } from "@/shared/ui/optional-part.ts";
import { Overlay } from "@/shared/ui/overlay.tsx";
import { StatePanel } from "@/shared/ui/state-panel.tsx";
import { useNotices } from "./notices.ts";

const NoticeList = optionalPart(
  async () => (await import("./notice-list.tsx")).NoticeList,
  () => showMessage(TEXT.networkError),
);
const OlderNotices = optionalPart(
  async () => (await import("./older-notices.tsx")).OlderNotices,
  () => showMessage(TEXT.networkError),
);

interface NoticeOverlayProps {
  readonly readUntil: number;
  readonly onClose: () => void;
}

/** The notices over the whole screen (specification §2). */
export function NoticeOverlay({ readUntil, onClose }: NoticeOverlayProps) {
  const { notices, hasOlder, isFetching, isError, refetch } = useNotices();

  return (
    <Overlay title="公告" onClose={onClose}>
      <div className="notice-body">
        {notices.length > 0 && (
          <Suspense>
            <NoticeList notices={notices} readUntil={readUntil} />
            {hasOlder && <OlderNotices readUntil={readUntil} />}
          </Suspense>
        )}
        {notices.length === 0 && !isFetching && !isError && (
          <StatePanel title={TEXT.noticesEmpty} />
        )}
        {notices.length === 0 && isError && (
          <StatePanel
            title="公告没有加载出来"
            action={
              <button
                type="button"
                className="button button-primary"
                onClick={() => void refetch()}
              >
                {TEXT.listFailed}
              </button>
            }
          />
        )}
      </div>
    </Overlay>
  );
}
