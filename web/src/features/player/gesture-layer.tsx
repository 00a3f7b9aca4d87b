import { IconPlayerPlayFilled, IconPlayerSkipForwardFilled } from "@tabler/icons-react";
import { type CSSProperties, useEffect, useRef, useState } from "react";
import { type GestureAction, type SeekSide, STREAK_MS } from "@/player/gestures.ts";
import { usePlayback, usePlayerParts } from "./player-parts.ts";
import { useTouch } from "./use-touch.ts";

type SeekAction = Extract<GestureAction, { type: "seek" }>;

const HAPTIC_MS = 10;

/** The picture itself: taps, double taps and holds of a finger, clicks of a mouse. */
export function GestureLayer() {
  const { session, controls, fullScreen } = usePlayerParts();
  const [seek, setSeek] = useState<SeekAction | null>(null);
  // Clicks tell their pointer in few browsers, double clicks in none.
  const pointer = useRef("");
  const touch = useTouch((action) => {
    if (action.type === "toggle-controls") controls.toggle();
    else if (action.type === "seek") {
      const step = action.side === "forward" ? action.step : -action.step;
      session.seek(session.state.time + step);
      controls.hide();
      setSeek(action);
    } else {
      const isStarting = action.type === "hold-start";
      session.hold(isStarting);
      if (!isStarting) return;
      controls.hide();
      if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(HAPTIC_MS);
    }
  });
  useEffect(() => {
    if (!seek) return;
    const timer = setTimeout(() => setSeek(null), STREAK_MS);
    return () => clearTimeout(timer);
  }, [seek]);

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the keyboard reaches all of this through the buttons and the page's own keys
    <div
      className="player-gestures"
      {...touch}
      onPointerDown={(event) => {
        pointer.current = event.pointerType;
        touch.onPointerDown(event);
      }}
      onPointerEnter={(event) => event.pointerType === "mouse" && controls.show()}
      onPointerMove={(event) =>
        event.pointerType === "mouse" ? controls.show() : touch.onPointerMove(event)
      }
      onClick={() => pointer.current === "mouse" && session.toggle()}
      onDoubleClick={() => pointer.current === "mouse" && void fullScreen.toggle()}
      onContextMenu={(event) => event.preventDefault()}
    >
      {seek && <SeekRipple key={seek.side} seek={seek} />}
      <HoldPill />
    </div>
  );
}

const SIDE_TEXT: Readonly<Record<SeekSide, string>> = { back: "快退", forward: "快进" };

/** The dark ellipse of a double tap with the seconds added up; the ripple starts at the finger. */
function SeekRipple({ seek }: { readonly seek: SeekAction }) {
  const finger = { "--x": `${seek.x}px`, "--y": `${seek.y}px` } as CSSProperties;
  return (
    <div className="seek-ripple" data-side={seek.side} style={finger}>
      <i key={seek.total} className="seek-wave" />
      <span className="seek-words" role="status">
        <span className="seek-chevrons" aria-hidden="true">
          <IconPlayerPlayFilled />
          <IconPlayerPlayFilled />
          <IconPlayerPlayFilled />
        </span>
        {SIDE_TEXT[seek.side]} {seek.total} 秒
      </span>
    </div>
  );
}

function HoldPill() {
  const holding = usePlayback((state) => state.holding);
  if (!holding) return null;
  return (
    <p className="player-pill is-top" role="status">
      <IconPlayerSkipForwardFilled aria-hidden="true" />
      2x 播放中
    </p>
  );
}
