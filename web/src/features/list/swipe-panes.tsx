import "./swipe-panes.css";
import {
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { followDrag } from "./drag.ts";
import { swipeStep, withResistance } from "./swipe.ts";

interface SwipePanesProps {
  /** Place of the shown pane, from 0. */
  readonly index: number;
  readonly count: number;
  readonly onChange: (index: number) => void;
  /** Drawn beside the shown pane while it is dragged. */
  readonly preview: ReactNode;
  readonly children: ReactNode;
}

/**
 * Duration of a pane's movement, milliseconds; `--d-slow` is the same, and 0 under reduced motion.
 */
const SETTLE_MS = 250;

/** Panes under a bar, one of them visible; a horizontal drag leads to the next or previous one. */
export function SwipePanes({ index, count, onChange, preview, children }: SwipePanesProps) {
  const box = useRef<HTMLDivElement>(null);
  const track = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState<number | null>(null);

  const shift = (x: number, isSettling: boolean) => {
    const element = track.current;
    if (!element) return;
    element.dataset.settling = String(isSettling);
    element.style.translate = x === 0 ? "" : `${x}px`;
  };
  const width = () => box.current?.clientWidth ?? 0;
  const claim = useEffectEvent((dx: number, dy: number) => {
    if (count < 2 || Math.abs(dx) <= Math.abs(dy) * 1.2) return false;
    // Neighbours show their top, however far this pane is scrolled.
    setTop(Math.max(0, barBottom(box.current) - (box.current?.getBoundingClientRect().top ?? 0)));
    return true;
  });
  const move = useEffectEvent((dx: number) => shift(withResistance(dx, index, count), false));
  const end = useEffectEvent((dx: number, velocity: number) => {
    const step = swipeStep({ dx, velocity, width: width(), index, count });
    shift(-step * width(), true);
    setTimeout(() => {
      if (step === 0) setTop(null);
      else onChange(index + step);
    }, settleTime());
  });

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const controller = new AbortController();
    followDrag(
      element,
      {
        claim: ({ dx, dy }) => (claim(dx, dy) ? "ours" : "browser"),
        move: ({ dx }) => move(dx),
        end: ({ dx }, velocity) => end(dx, velocity.dx),
      },
      controller.signal,
    );
    return () => controller.abort();
  }, []);

  // The new pane replaces the old one in the frame in which it is drawn.
  useLayoutEffect(() => {
    shift(0, false);
    setTop(null);
  }, [index]);

  return (
    <div ref={box} className="panes">
      <div ref={track} className="panes-track">
        {top !== null && index > 0 && <Neighbour side="before" top={top} preview={preview} />}
        {children}
        {top !== null && index < count - 1 && (
          <Neighbour side="after" top={top} preview={preview} />
        )}
      </div>
    </div>
  );
}

interface NeighbourProps {
  readonly side: "before" | "after";
  readonly top: number;
  readonly preview: ReactNode;
}

function Neighbour({ side, top, preview }: NeighbourProps) {
  return (
    <div className={`pane-neighbour is-${side}`} style={{ top }} aria-hidden="true">
      {preview}
    </div>
  );
}

/** Lower edge of the sticky bars above the panes. */
function barBottom(panes: Element | null): number {
  let lowest = 0;
  for (let bar = panes?.previousElementSibling; bar; bar = bar.previousElementSibling)
    lowest = Math.max(lowest, bar.getBoundingClientRect().bottom);
  return lowest;
}

function settleTime(): number {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : SETTLE_MS;
}
