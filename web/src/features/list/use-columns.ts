import { useWindowWidth } from "@/shared/ui/window-width.ts";

/** Columns of a grid of tiles on the widest windows. */
export const MOST_COLUMNS = 5;
/**
 * Columns of a grid of tiles by minimum window width, widest first. `list.css` uses the same
 * values.
 */
const STEPS: readonly (readonly [from: number, columns: number])[] = [
  [1024, MOST_COLUMNS],
  [840, 4],
  [600, 3],
];
const PHONE_COLUMNS = 2;

/** Columns at a window width in CSS pixels. */
export function columnsAt(width: number): number {
  return STEPS.find(([from]) => width >= from)?.[1] ?? PHONE_COLUMNS;
}

/** The window's columns, kept up to date. */
export function useColumns(): number {
  return useWindowWidth(columnsAt, PHONE_COLUMNS);
}
