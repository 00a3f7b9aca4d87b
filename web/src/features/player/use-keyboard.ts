import { useEffect } from "react";
import { SEEK_STEP_S } from "@/player/gestures.ts";
import type { PlayerParts } from "./player-parts.ts";

const VOLUME_STEP = 0.1;

/** What a key does; null leaves it to the browser. */
export function actionOfKey(
  key: string,
  { session, fullScreen }: PlayerParts,
): (() => void) | null {
  const { time, muted } = session.state;
  switch (key) {
    case " ":
      return () => session.toggle();
    case "ArrowLeft":
      return () => session.seek(time - SEEK_STEP_S);
    case "ArrowRight":
      return () => session.seek(time + SEEK_STEP_S);
    case "ArrowUp":
      return () => session.changeVolume(VOLUME_STEP);
    case "ArrowDown":
      return () => session.changeVolume(-VOLUME_STEP);
    case "f":
      return () => void fullScreen.toggle();
    case "m":
      return () => session.setMuted(!muted);
    default:
      return null;
  }
}

/**
 * Keyboard shortcuts for the whole page, and `?` for their list, except while the visitor types,
 * selects or presses something else.
 */
export function useKeyboard(parts: PlayerParts | null, isOpen: boolean, onHelp: () => void): void {
  useEffect(() => {
    if (!parts || !isOpen) return;
    const onKey = (event: KeyboardEvent) => {
      if (
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        ownsKey(event)
      )
        return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      // The Chinese keyboard's question mark is full-width.
      const action = key === "?" || key === "？" ? onHelp : actionOfKey(key, parts);
      if (!action) return;
      event.preventDefault();
      action();
      parts.controls.show();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [parts, isOpen, onHelp]);
}

/** Whether the focused element has a use of its own for the key. */
export function ownsKey({ target, key }: Pick<KeyboardEvent, "target" | "key">): boolean {
  if (!(target instanceof Element)) return false;
  // A dialog that was just closed keeps the focus until the next frame.
  if (target.closest("input, textarea, select, dialog[open], [contenteditable]")) return true;
  return key === " " && target.closest("button, a, [role=button]") !== null;
}
