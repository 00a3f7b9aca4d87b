import { memo, type ReactNode, useCallback, useState } from "react";
import { AwayBox } from "./away-box.tsx";
import { type Chunk, steadyCutter } from "./chunks.ts";

/**
 * How far from the window rows are drawn, and groups of rows are in the document, in CSS pixels.
 */
const ROW_MARGIN = 500;
const GROUP_MARGIN = 1500;

/** Measured heights of a list's rows, in CSS pixels. */
export class RowHeights {
  readonly #known = new Map<number, number>();
  #last: number | null = null;

  /**
   * A row's measured or expected height; null before any was measured: it is then drawn at once.
   */
  expected(start: number): number | null {
    return this.#known.get(start) ?? this.#last;
  }

  /** @param start - Place of the row's first item in the list. */
  note(start: number, height: number): void {
    this.#known.set(start, height);
    this.#last = height;
  }
}

/** A distant group keeps its own height; nothing else needs it. */
function forget(): void {}

interface ChunkGroupProps<T> {
  readonly group: Chunk<T>;
  /** Items of a row. */
  readonly columns: number;
  readonly heights: RowHeights;
  readonly chunkClass: string;
  readonly renderItem: (item: T, index: number) => ReactNode;
}

/**
 * Some screens' worth of a long list: only rows near the window are drawn, and a distant group is a
 * single box.
 */
export const ChunkGroup = memo(function ChunkGroup<T>(props: ChunkGroupProps<T>) {
  const { group, columns, heights, chunkClass, renderItem } = props;
  const [cut] = useState(() => steadyCutter<T>());
  return (
    <AwayBox
      className={`chunk-group ${chunkClass}-group`}
      margin={GROUP_MARGIN}
      expected={null}
      onMeasure={forget}
    >
      {() =>
        cut(group.items, columns, group.start).map((row) => (
          <Row
            key={row.start}
            row={row}
            heights={heights}
            chunkClass={chunkClass}
            renderItem={renderItem}
          />
        ))
      }
    </AwayBox>
  );
}) as <T>(props: ChunkGroupProps<T>) => ReactNode;

interface RowProps<T> extends Pick<ChunkGroupProps<T>, "heights" | "chunkClass" | "renderItem"> {
  readonly row: Chunk<T>;
}

/** Rerendered only when its own items change: a new page may lengthen the visible group. */
const Row = memo(function Row<T>({ row, heights, chunkClass, renderItem }: RowProps<T>) {
  const { start, items } = row;
  const [expected] = useState(() => heights.expected(start));
  const note = useCallback((height: number) => heights.note(start, height), [heights, start]);
  return (
    <AwayBox
      className={`chunk ${chunkClass}`}
      margin={ROW_MARGIN}
      expected={expected}
      onMeasure={note}
    >
      {() => items.map((item, index) => renderItem(item, start + index))}
    </AwayBox>
  );
}) as <T>(props: RowProps<T>) => ReactNode;
