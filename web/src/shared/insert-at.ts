/** A list with an item at a place, or at its end where the list has become shorter. */
export function insertAt<T>(list: readonly T[], index: number, item: T): readonly T[] {
  return [...list.slice(0, index), item, ...list.slice(index)];
}
