import { type RefObject, useEffect } from "react";
import { showMessage } from "@/shared/messages/message-store.ts";
import { TEXT } from "@/shared/messages/texts.ts";

/** Stops an element for good and frees what it has loaded. */
function dispose(media: HTMLMediaElement): void {
  media.pause();
  media.removeAttribute("src");
  media.replaceChildren();
  media.load();
  media.remove();
}

/**
 * Whatever plays inside the box of a locked video was not started by the site (specification §4).
 */
export function useLockGuard(box: RefObject<HTMLElement | null>, isLocked: boolean): void {
  useEffect(() => {
    const element = box.current;
    if (!isLocked || !element) return;
    const refuse = ({ target }: Event) => {
      if (target instanceof HTMLMediaElement) dispose(target);
      showMessage(TEXT.illegalPlay);
    };
    element.addEventListener("playing", refuse, true);
    return () => element.removeEventListener("playing", refuse, true);
  }, [box, isLocked]);
}
