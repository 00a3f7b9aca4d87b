import { type MouseEvent, type PointerEvent as ReactPointerEvent, useEffect, useRef } from "react";
import { HOLD_MS, SINGLE_TAP_WAIT_MS, SLOP_PX } from "@/player/gestures.ts";
import { after } from "@/player/timing.ts";

interface TapActions {
  /** A tap that must be handled inside the gesture; returns whether it was. */
  readonly onFirst: () => boolean;
  readonly onTap: () => void;
  readonly onDoubleTap: () => void;
  readonly onHold: (isHolding: boolean) => void;
}

interface Press {
  readonly x: number;
  readonly y: number;
  readonly cancel: () => void;
  isHolding: boolean;
}

/**
 * Handlers for the clip's surface: one tap, two taps, a finger that rests. The keyboard's click is
 * a tap.
 */
export function useShortTaps({ onFirst, onTap, onDoubleTap, onHold }: TapActions) {
  const press = useRef<Press | null>(null);
  const wasHold = useRef(false);
  const single = useRef<(() => void) | null>(null);
  const latest = useRef({ onTap, onHold });
  useEffect(() => {
    latest.current = { onTap, onHold };
  });
  useEffect(
    () => () => {
      single.current?.();
      press.current?.cancel();
    },
    [],
  );
  const release = () => {
    const ended = press.current;
    press.current = null;
    ended?.cancel();
    wasHold.current = ended?.isHolding === true;
    if (wasHold.current) latest.current.onHold(false);
  };
  return {
    onPointerDown: (event: ReactPointerEvent) => {
      release();
      const { clientX: x, clientY: y } = event;
      const cancel = after(HOLD_MS, () => {
        if (!press.current) return;
        press.current.isHolding = true;
        latest.current.onHold(true);
      });
      press.current = { x, y, cancel, isHolding: false };
    },
    onPointerMove: (event: ReactPointerEvent) => {
      const { x, y, isHolding } = press.current ?? {};
      if (x === undefined || y === undefined || isHolding) return;
      if (Math.hypot(event.clientX - x, event.clientY - y) > SLOP_PX) release();
    },
    onPointerUp: release,
    onPointerCancel: release,
    onContextMenu: (event: MouseEvent) => event.preventDefault(),
    onClick: () => {
      if (wasHold.current) {
        wasHold.current = false;
        return;
      }
      if (onFirst()) return;
      if (single.current) {
        single.current();
        single.current = null;
        return onDoubleTap();
      }
      single.current = after(SINGLE_TAP_WAIT_MS, () => {
        single.current = null;
        latest.current.onTap();
      });
    },
  };
}
