import "./pull-refresh.css";
import { IconRefresh } from "@tabler/icons-react";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { usePageClass } from "@/shared/ui/use-page-class.ts";
import { followDrag } from "./drag.ts";
import { PULL_HEIGHT, pulledHeight } from "./pull.ts";

interface PullRefreshProps {
  /**
   * @returns Resolves when the refresh has ended, successfully or not.
   */
  readonly onRefresh: () => Promise<void>;
  readonly children: ReactNode;
}

type Phase = "rest" | "pulling" | "ready" | "loading";

const PHASE_TEXT: Readonly<Record<Phase, string>> = {
  rest: "",
  pulling: "下拉即可刷新",
  ready: "松开立即刷新",
  loading: "正在刷新",
};

/**
 * A list refreshed by pulling it down at its top. The content follows the finger with growing
 * resistance.
 */
export function PullRefresh({ onRefresh, children }: PullRefreshProps) {
  const box = useRef<HTMLDivElement>(null);
  usePageClass("has-pull");
  const [phase, setPhase] = useState<Phase>("rest");
  const [height, setHeight] = useState(0);

  const settle = (next: Phase, to: number) => {
    setPhase(next);
    setHeight(to);
  };
  const refresh = async () => {
    settle("loading", PULL_HEIGHT);
    await onRefresh();
    settle("rest", 0);
  };
  const canPull = useEffectEvent((dx: number, dy: number) => {
    return phase !== "loading" && window.scrollY <= 0 && dy > 0 && dy > Math.abs(dx);
  });
  const pull = useEffectEvent((dy: number) => {
    const next = pulledHeight(dy);
    settle(next >= PULL_HEIGHT ? "ready" : "pulling", next);
  });
  const release = useEffectEvent((dy: number) => {
    if (pulledHeight(dy) >= PULL_HEIGHT) void refresh();
    else settle("rest", 0);
  });

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const controller = new AbortController();
    followDrag(
      element,
      {
        claim: ({ dx, dy }) => (canPull(dx, dy) ? "ours" : "browser"),
        move: ({ dy }) => pull(dy),
        end: ({ dy }) => release(dy),
      },
      controller.signal,
    );
    return () => controller.abort();
  }, []);

  const isHeld = phase === "pulling" || phase === "ready";
  return (
    <div ref={box} className="pull">
      <div
        className={`pull-head is-${phase}`}
        style={{ height }}
        data-held={isHeld}
        aria-hidden={phase !== "loading"}
      >
        <span className="pull-note">
          <IconRefresh
            size={18}
            stroke={2}
            aria-hidden="true"
            style={{ rotate: `${isHeld ? height * 3 : 0}deg` }}
          />
          {PHASE_TEXT[phase]}
        </span>
      </div>
      {children}
    </div>
  );
}
