import { useSyncExternalStore } from "react";

/** Columns of a grid of tiles from a window width on, the widest first. `list.css` draws the same. */
const STEPS: readonly (readonly [from: number, columns: number])[] = [
  [1024, 5],
  [840, 4],
  [600, 3],
];
const PHONE_COLUMNS = 2;

/** Columns at a window width in CSS pixels. */
export function columnsAt(width: number): number {
  return STEPS.find(([from]) => width >= from)?.[1] ?? PHONE_COLUMNS;
}

// Asked for at every drawing of a list: the window's own width would have the browser lay out the page each time.
let current: number | null = null;

function subscribe(listener: () => void): () => void {
  const look = () => {
    current = columnsAt(window.innerWidth);
    listener();
  };
  current = null;
  window.addEventListener("resize", look);
  return () => {
    window.removeEventListener("resize", look);
    current = null;
  };
}

function columnsNow(): number {
  current ??= columnsAt(window.innerWidth);
  return current;
}

/** The window's columns, kept up to date. */
export function useColumns(): number {
  return useSyncExternalStore(subscribe, columnsNow, () => PHONE_COLUMNS);
}
