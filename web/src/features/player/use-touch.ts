import { type PointerEvent as ReactPointerEvent, type TouchEvent, useEffect, useRef } from "react";
import { type GestureAction, TouchGestures } from "@/player/gestures.ts";

/**
 * Pointer handlers for the picture: fingers and pens make gestures, a mouse is left to its own
 * clicks.
 */
export function useTouch(onAction: (action: GestureAction) => void) {
  const gestures = useRef<TouchGestures | null>(null);
  const latest = useRef(onAction);
  useEffect(() => {
    latest.current = onAction;
  });
  useEffect(() => {
    const life = new AbortController();
    gestures.current = new TouchGestures((action) => latest.current(action), life.signal);
    return () => life.abort();
  }, []);
  return {
    onPointerDown: (event: ReactPointerEvent<HTMLElement>) => {
      if (event.pointerType === "mouse") return;
      event.currentTarget.setPointerCapture(event.pointerId);
      gestures.current?.down(pointOf(event));
    },
    onPointerMove: (event: ReactPointerEvent<HTMLElement>) =>
      gestures.current?.move(pointOf(event)),
    onPointerUp: (event: ReactPointerEvent<HTMLElement>) => gestures.current?.up(pointOf(event)),
    onPointerCancel: () => gestures.current?.cancel(),
    // The following click must be cancelled: it would land on the control that the tap has just
    // revealed.
    onTouchEnd: (event: TouchEvent<HTMLElement>) => event.cancelable && event.preventDefault(),
  };
}

function pointOf(event: ReactPointerEvent<HTMLElement>) {
  const { left, top, width } = event.currentTarget.getBoundingClientRect();
  return {
    pointer: event.pointerId,
    x: event.clientX - left,
    y: event.clientY - top,
    width,
    at: event.timeStamp,
  };
}
