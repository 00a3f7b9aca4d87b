import "./sheet.css";
import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import { raiseMessages } from "@/shared/ui/raise-messages.ts";
import { followDrag } from "./drag.ts";

/**
 * A sheet released below this share of its height closes, and so does one thrown faster than this,
 * in CSS pixels per millisecond.
 */
const CLOSE_FROM = 0.3;
const CLOSE_SPEED = 0.5;

interface SheetProps {
  /** What it is for, for screen readers. */
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A sheet from the lower edge; it follows the finger down, and a tap beside it closes it. */
export function Sheet({ label, onClose, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const close = useEffectEvent(onClose);

  useEffect(() => {
    const [element, moved] = [dialog.current, panel.current];
    if (!element || !moved) return;
    element.showModal();
    const settle = raiseMessages();
    const controller = new AbortController();
    const shift = (dy: number) => {
      moved.style.translate = dy > 0 ? `0 ${dy}px` : "";
    };
    followDrag(
      moved,
      {
        // The slider handles horizontal movement.
        claim: ({ dx, dy }) => (dy > Math.abs(dx) ? "ours" : "browser"),
        move: ({ dy }) => shift(dy),
        end: ({ dy }, velocity) => {
          if (dy > moved.offsetHeight * CLOSE_FROM || velocity.dy > CLOSE_SPEED) close();
          else shift(0);
        },
      },
      controller.signal,
    );
    return () => {
      controller.abort();
      settle();
      element.close();
    };
  }, []);

  return (
    <dialog
      ref={dialog}
      className="sheet-place"
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <button
        type="button"
        className="sheet-scrim"
        aria-label="关闭"
        tabIndex={-1}
        onClick={onClose}
      />
      <div ref={panel} className="sheet">
        {children}
      </div>
    </dialog>
  );
}
