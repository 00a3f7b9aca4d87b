import "./list.css";
import { type ReactNode, useRef, useState } from "react";
import type { PagedList } from "@/shared/server-state/paged-list.ts";
import { type ListState, totalPages } from "@/shared/server-state/paging.ts";
import { ChunkGroup, RowHeights } from "./chunk-group.tsx";
import { type Chunk, groupSize, steadyCutter } from "./chunks.ts";
import { ListTail } from "./list-tail.tsx";
import { PagePicker } from "./page-picker.tsx";

/** Number of placeholders while the first or a later page is loading. */
const FIRST_SKELETONS = 10;

interface PagedItemsProps<T extends { readonly id: number }> {
  readonly list: PagedList<T>;
  readonly state: ListState<T>;
  /** Items side by side. */
  readonly columns: number;
  /** Class of a chunk: how its items stand. */
  readonly chunkClass: string;
  /** @param index - Place in the list as it stands, from 0. */
  readonly renderItem: (item: T, index: number) => ReactNode;
  /** One item's placeholder. */
  readonly skeleton: ReactNode;
  readonly empty: ReactNode;
  /** Whether the visitor may jump to a page (specification §2). */
  readonly hasPager?: boolean;
}

/**
 * A paged list with all its states (specification §4): placeholders, items, retry text, end, page
 * slider.
 */
export function PagedItems<T extends { readonly id: number }>(props: PagedItemsProps<T>) {
  const { list, state, columns, chunkClass, renderItem, skeleton, empty, hasPager = false } = props;
  const container = useRef<HTMLDivElement>(null);
  const size = groupSize(columns);
  const [cut] = useState(() => steadyCutter<T>());
  const isEmpty = state.items.length === 0;
  const isPaged = hasPager && totalPages(state) > 1;
  return (
    <>
      {/* A new generation gets new elements: no box of a cleared list is reused. */}
      <div
        ref={container}
        key={`${state.generation} ${columns}`}
        aria-busy={state.status === "loading"}
      >
        <Groups
          groups={cut(state.items, size)}
          columns={columns}
          chunkClass={chunkClass}
          renderItem={renderItem}
        />
      </div>
      {(state.status === "loading" || (state.status === "idle" && isEmpty)) && (
        <Placeholders
          count={isEmpty ? FIRST_SKELETONS : columns}
          className={isEmpty ? chunkClass : `${chunkClass} is-more`}
          skeleton={skeleton}
        />
      )}
      <ListTail
        status={state.status}
        isEmpty={isEmpty}
        isAbovePill={isPaged}
        onLoad={list.loadNext}
        empty={empty}
      />
      {isPaged && (
        <PagePicker state={state} container={container} size={size} onJump={list.restart} />
      )}
    </>
  );
}

interface GroupsProps<T> {
  readonly groups: readonly Chunk<T>[];
  readonly columns: number;
  readonly chunkClass: string;
  readonly renderItem: (item: T, index: number) => ReactNode;
}

/** Rows keep their heights as long as the list is the same, and as wide. */
function Groups<T>({ groups, ...rest }: GroupsProps<T>) {
  const [heights] = useState(() => new RowHeights());
  return groups.map((group) => (
    <ChunkGroup key={group.start} group={group} heights={heights} {...rest} />
  ));
}

interface PlaceholdersProps {
  readonly count: number;
  readonly className: string;
  readonly skeleton: ReactNode;
}

/** Items that are loading. */
export function Placeholders({ count, className, skeleton }: PlaceholdersProps) {
  return (
    <div className={`chunk ${className}`} role="status" aria-label="正在加载">
      {Array.from({ length: count }, (_, index) => (
        <div key={index}>{skeleton}</div>
      ))}
    </div>
  );
}
