import { type RefObject, useLayoutEffect, useState } from "react";
import { ControlsVisibility } from "@/player/controls-visibility.ts";
import { lowerCurtain } from "@/player/curtain.ts";
import { FullScreen } from "@/player/fullscreen.ts";
import type { PlayOrder } from "@/player/playback-state.ts";
import { takeSession } from "@/player/session-slot.ts";
import type { PlayerParts } from "./player-parts.ts";

/**
 * Puts the requested video on the stage inside `host`, and removes it when the request changes, the
 * page is left or a cached page is hidden. Layout effects show the first picture within the tap's
 * own frame.
 */
export function useOpenedPlayer(
  order: PlayOrder | null,
  box: RefObject<HTMLElement | null>,
  host: RefObject<HTMLElement | null>,
): PlayerParts | null {
  const [parts, setParts] = useState<PlayerParts | null>(null);
  useLayoutEffect(() => {
    if (!order || !box.current || !host.current) return;
    const session = takeSession(order);
    const { video, signal } = session;
    host.current.append(video);
    lowerCurtain();
    setParts({
      session,
      controls: new ControlsVisibility(signal),
      fullScreen: new FullScreen(box.current, video, signal),
    });
    return () => {
      session.dispose();
      setParts(null);
    };
  }, [order, box, host]);
  return parts;
}
