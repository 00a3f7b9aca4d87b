import { IconRefresh } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef } from "react";
import { TEXT } from "@/shared/messages/texts.ts";
import type { ListStatus } from "@/shared/server-state/paging.ts";
import { StatePanel } from "@/shared/ui/state-panel.tsx";

/** How far below the window the next page is asked for. */
const AHEAD = "0px 0px 900px";

interface ListTailProps {
  readonly status: ListStatus;
  readonly isEmpty: boolean;
  /** The page slider's pill floats over it. */
  readonly isAbovePill: boolean;
  /** Loads the next page, or the failed one again. */
  readonly onLoad: () => void;
  /** Shown instead of the end if the list is empty. */
  readonly empty: ReactNode;
}

/**
 * The end of a list: nothing, the retry text, or the end text. It loads the next page when it comes
 * near.
 */
export function ListTail({ status, isEmpty, isAbovePill, onLoad, empty }: ListTailProps) {
  const mark = useRef<HTMLDivElement>(null);
  // A new observer for each page: its first report concerns the current list, not an earlier one.
  useEffect(() => {
    const element = mark.current;
    if (!element || status !== "idle" || isEmpty) return;
    const observer = new IntersectionObserver(
      (entries) => entries.at(-1)?.isIntersecting && onLoad(),
      {
        rootMargin: AHEAD,
      },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [status, isEmpty, onLoad]);

  return (
    <div
      ref={mark}
      className={isAbovePill ? "list-tail is-above-pill" : "list-tail"}
      aria-live="polite"
    >
      {status === "error" &&
        (isEmpty ? <WholeFailure onRetry={onLoad} /> : <Retry onRetry={onLoad} />)}
      {status === "finished" && (isEmpty ? empty : <p className="list-tail-end">{TEXT.listEnd}</p>)}
    </div>
  );
}

function Retry({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <button type="button" className="list-tail-retry" onClick={onRetry}>
      <IconRefresh size={16} stroke={2} aria-hidden="true" />
      {TEXT.listFailed}
    </button>
  );
}

function WholeFailure({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <StatePanel
      title="没有加载出来"
      text="网络不太稳定，请稍后再试。"
      drawing={<BrokenCloud />}
      action={
        <button type="button" className="button button-primary" onClick={onRetry}>
          {TEXT.listFailed}
        </button>
      }
    />
  );
}

/** A cloud with a cross. */
function BrokenCloud() {
  return (
    <svg className="state-drawing" viewBox="0 0 168 126" aria-hidden="true">
      <ellipse className="ground" cx="84" cy="110" rx="62" ry="8" />
      <path
        className="line"
        d="M52 92a22 22 0 0 1-3-43.800A33 33 0 0 1 112 40a26 26 0 0 1 8 52ZM34 30l-8-6M136 32l8-7M28 92h-8M142 92h6"
      />
      <path className="mark" d="m74 56 20 20M94 56 74 76" />
    </svg>
  );
}
