import "./in-app-advice.css";
import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import { inAppBrowser } from "@/player/in-app-browser.ts";
import { showMessage } from "@/shared/messages/message-store.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import { copyText, shareAbilities } from "@/shared/share-link.ts";

let isDismissed = false;

/**
 * In apps that take videos over: why a video may not play here, and what to do. Once closed, it
 * stays closed.
 */
export function InAppAdvice() {
  const [programme] = useState(() => inAppBrowser(navigator.userAgent));
  const [isOpen, setOpen] = useState(!isDismissed);
  if (!programme || !isOpen) return null;
  const close = () => {
    isDismissed = true;
    setOpen(false);
  };
  return (
    <aside className="player-advice" aria-label="播放提示">
      <p>{programme}可能接管播放器。复制链接，用系统浏览器打开更顺畅。</p>
      <CopyLink />
      <button type="button" className="player-advice-close" aria-label="关闭提示" onClick={close}>
        <IconX size={18} stroke={1.75} aria-hidden="true" />
      </button>
    </aside>
  );
}

/** Copies the page's address for another browser. */
export function CopyLink() {
  const copy = async () => {
    const isCopied = await copyText(window.location.href, shareAbilities());
    showMessage(isCopied ? TEXT.linkCopied : TEXT.linkCopyFailed);
  };
  return (
    <button type="button" className="player-advice-copy" onClick={() => void copy()}>
      复制链接
    </button>
  );
}
