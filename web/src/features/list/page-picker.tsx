import "./page-picker.css";
import { IconChevronLeft, IconChevronRight, IconLayoutGrid } from "@tabler/icons-react";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { type ListState, pageOfItem, totalPages } from "@/shared/server-state/paging.ts";
import { Sheet } from "./sheet.tsx";
import { useVisible } from "./use-visible-index.ts";

interface PagePickerProps {
  readonly state: ListState<unknown>;
  /** Its children are the list's chunks. */
  readonly container: RefObject<Element | null>;
  /** Items of a chunk. */
  readonly size: number;
  /** Clears the list and loads the given page. */
  readonly onJump: (page: number) => void;
}

/** Current page and number of pages over a list; a tap opens the slider (specification §2). */
export function PagePicker({ state, container, size, onJump }: PagePickerProps) {
  const [isOpen, setOpen] = useState(false);
  const { firstPage, perPage } = state;
  const toPage = useCallback(
    (index: number) => pageOfItem({ firstPage, perPage }, index),
    [firstPage, perPage],
  );
  const total = totalPages(state);
  const page = Math.min(useVisible(container, size, toPage), Math.max(1, total));
  const jump = (target: number) => {
    window.scrollTo({ top: 0, behavior: "instant" });
    onJump(target);
  };
  return (
    <>
      <button
        type="button"
        className="page-pill"
        aria-label={`${page} / ${total} 页，选择页码`}
        onClick={() => setOpen(true)}
      >
        <IconLayoutGrid size={16} stroke={2} aria-hidden="true" />
        {page}
        <small>/ {total} 页</small>
      </button>
      {isOpen && (
        <PageSheet page={page} total={total} onJump={jump} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

interface PageSheetProps {
  readonly page: number;
  readonly total: number;
  readonly onJump: (page: number) => void;
  readonly onClose: () => void;
}

/** The slider: the number follows it while dragging, and the page is loaded on release. */
function PageSheet({ page, total, onJump, onClose }: PageSheetProps) {
  const [chosen, setChosen] = useState(page);
  const [loaded, setLoaded] = useState(page);
  const commit = (target: number) => {
    setChosen(target);
    if (target === loaded) return;
    setLoaded(target);
    onJump(target);
  };
  const finish = () => {
    commit(chosen);
    onClose();
  };
  return (
    <Sheet label="选择页码" onClose={onClose}>
      <p className="page-sheet-number" aria-live="polite">
        {chosen}
        <small> / {total} 页</small>
      </p>
      <div className="page-sheet-slide">
        <button
          type="button"
          className="page-step"
          aria-label="上一页"
          disabled={chosen <= 1}
          onClick={() => commit(chosen - 1)}
        >
          <IconChevronLeft stroke={1.75} aria-hidden="true" />
        </button>
        <PageSlider value={chosen} total={total} onSlide={setChosen} onRelease={commit} />
        <button
          type="button"
          className="page-step"
          aria-label="下一页"
          disabled={chosen >= total}
          onClick={() => commit(chosen + 1)}
        >
          <IconChevronRight stroke={1.75} aria-hidden="true" />
        </button>
      </div>
      <button type="button" className="button button-primary page-sheet-go" onClick={finish}>
        跳到第 {chosen} 页
      </button>
    </Sheet>
  );
}

interface PageSliderProps {
  readonly value: number;
  readonly total: number;
  readonly onSlide: (page: number) => void;
  readonly onRelease: (page: number) => void;
}

function PageSlider({ value, total, onSlide, onRelease }: PageSliderProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // React calls `onChange` at every step; the DOM's own `change` comes once, on release.
    const element = input.current;
    const release = () => onRelease(Number(element?.value));
    element?.addEventListener("change", release);
    return () => element?.removeEventListener("change", release);
  }, [onRelease]);
  return (
    <input
      ref={input}
      type="range"
      className="page-slider"
      aria-label="页码"
      aria-valuetext={`第 ${value} 页`}
      min={1}
      max={total}
      step={1}
      value={value}
      style={
        {
          "--filled": `${total > 1 ? ((value - 1) / (total - 1)) * 100 : 0}%`,
        } as React.CSSProperties
      }
      onChange={(event) => onSlide(event.currentTarget.valueAsNumber)}
    />
  );
}
