import { type PointerEvent as ReactPointerEvent, type RefObject, useRef } from "react";

/** A sheet released below this share of its height closes. */
const CLOSE_SHARE = 0.3;
/** So does one thrown faster than this, in px per millisecond. */
const CLOSE_SPEED = 0.5;

/** Whether a sheet that was let go should close. */
export function shouldClose(distance: number, height: number, elapsedMs: number): boolean {
  return (
    distance > height * CLOSE_SHARE ||
    (distance > 0 && distance / Math.max(1, elapsedMs) > CLOSE_SPEED)
  );
}

/**
 * Pointer handlers for a sheet's grip: the sheet follows the finger down and closes or springs
 * back.
 */
export function useSheetDrag(sheet: RefObject<HTMLElement | null>, onClose: () => void) {
  const start = useRef<{ y: number; at: number } | null>(null);
  const move = (distance: number) =>
    sheet.current?.style.setProperty("translate", `0 ${Math.max(0, distance)}px`);
  const end = (event: ReactPointerEvent) => {
    const from = start.current;
    start.current = null;
    if (!from) return;
    const height = sheet.current?.offsetHeight ?? 0;
    if (shouldClose(event.clientY - from.y, height, event.timeStamp - from.at)) onClose();
    else sheet.current?.style.removeProperty("translate");
  };
  return {
    onPointerDown: (event: ReactPointerEvent<HTMLElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      start.current = { y: event.clientY, at: event.timeStamp };
    },
    onPointerMove: (event: ReactPointerEvent) =>
      start.current && move(event.clientY - start.current.y),
    onPointerUp: end,
    onPointerCancel: end,
  };
}
