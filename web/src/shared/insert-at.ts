/** A list with an item inserted at an index, or at its end if it has become shorter. */
export function insertAt<T>(list: readonly T[], index: number, item: T): readonly T[] {
  return [...list.slice(0, index), item, ...list.slice(index)];
}
