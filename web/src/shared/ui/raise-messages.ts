import { useMessageStore } from "@/shared/messages/message-store.ts";

/**
 * Show messages above a dialog that takes the whole page: it lies above everything but what is
 * raised after it. Call it once the dialog is shown.
 *
 * @returns A function that ends it.
 */
export function raiseMessages(): () => void {
  const place = document.querySelector<HTMLElement>(".message-place");
  const raise = () => {
    if (!place?.showPopover) return;
    place.popover = null;
    if (!useMessageStore.getState().current) return;
    place.popover = "manual";
    place.showPopover();
  };
  raise();
  const stop = useMessageStore.subscribe(raise);
  return () => {
    stop();
    if (place) place.popover = null;
  };
}
