import "./controls/top-bar/top-bar.css";
import "./ad-gate-veil.css";
import { IconChevronLeft, IconX } from "@tabler/icons-react";
import { type CSSProperties, useEffect, useRef } from "react";
import {
  CREATIVE_TIMEOUT_MS,
  countdownOf,
  type GateEvent,
  type GateState,
} from "@/player/ad-gate.ts";
import { after, every } from "@/player/timing.ts";
import type { Ad } from "@/shared/api/model.ts";
import { Thumb } from "@/shared/covers/cover.tsx";
import { usePicture } from "@/shared/covers/use-picture.ts";
import { adLink } from "@/shared/ui/tiles/ad-tracking.ts";
import { PlayerButton } from "./controls/button/player-button.tsx";

const SECOND_MS = 1000;

interface AdGateProps {
  readonly gate: Extract<GateState<Ad>, { ad: Ad }>;
  readonly dispatch: (event: GateEvent<Ad>) => void;
  readonly onBack: () => void;
}

/**
 * The pre-roll: the advertisement fills the box, a calm ring counts down and turns into 关闭广告. The
 * way back is available from the start.
 */
export function AdGate({ gate, dispatch, onBack }: AdGateProps) {
  const { ad, phase } = gate;
  useCountdown(phase, dispatch);
  return (
    <div className="ad-gate" role="region" aria-label="广告">
      <Creative ad={ad} dispatch={dispatch} />
      <i className="player-shade" aria-hidden="true" />
      <div className="player-top">
        <PlayerButton label="返回" onPress={onBack}>
          <IconChevronLeft stroke={1.75} />
        </PlayerButton>
        <span className="ad-mark">广告</span>
      </div>
      {phase === "counting" && <Ring left={gate.left} total={countdownOf(ad)} />}
      {phase === "closable" && (
        <button type="button" className="ad-close" onClick={() => dispatch({ type: "close" })}>
          关闭广告
          <IconX size={18} stroke={2} aria-hidden="true" />
        </button>
      )}
      <div className="ad-line">
        <span>
          <b>{ad.title}</b>
          <small>{ad.text}</small>
        </span>
        {ad.url && <a {...adLink(ad)}>了解详情</a>}
      </div>
    </div>
  );
}

/**
 * Ticks once a second while the advertisement is visible, and stops waiting for one that never
 * appears.
 */
function useCountdown(
  phase: GateState<Ad>["phase"],
  dispatch: (event: GateEvent<Ad>) => void,
): void {
  useEffect(() => {
    const life = new AbortController();
    if (phase === "loading")
      after(CREATIVE_TIMEOUT_MS, () => dispatch({ type: "creative-failed" }), life.signal);
    if (phase === "counting")
      every(SECOND_MS, () => isCovered() || dispatch({ type: "second-passed" }), life.signal);
    return () => life.abort();
  }, [phase, dispatch]);
}

/** Whether a question stands over the page, as that of the age gate: nobody sees what is below. */
const isCovered = () => document.querySelector("dialog:modal") !== null;

function Creative({
  ad,
  dispatch,
}: {
  readonly ad: Ad;
  readonly dispatch: (event: GateEvent<Ad>) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const picture = usePicture(box, ad.image, { isEager: true, isBypassing: false });
  useEffect(() => {
    if (picture.status === "failed") dispatch({ type: "creative-failed" });
  }, [picture.status, dispatch]);
  return (
    <div ref={box} className="ad-creative">
      {ad.image.thumb && <Thumb thumb={ad.image.thumb} />}
      {picture.status === "ready" && (
        <img
          src={picture.src}
          alt={ad.title}
          onLoad={() => dispatch({ type: "creative-shown" })}
          onError={() => dispatch({ type: "creative-failed" })}
        />
      )}
    </div>
  );
}

function Ring({ left, total }: { readonly left: number; readonly total: number }) {
  return (
    <div className="ad-ring" style={{ "--seconds": `${total}s` } as CSSProperties}>
      <span className="ad-seconds">
        <svg viewBox="0 0 36 36" aria-hidden="true">
          <circle cx="18" cy="18" r="16" />
          <circle className="ad-arc" cx="18" cy="18" r="16" pathLength="100" />
        </svg>
        {left}
      </span>
      秒后可关闭
    </div>
  );
}
