import { preloadPlayer } from "@/player/preload.ts";
import { AD_GATE } from "@/screens/play-video/calls.ts";
import type { RuntimeConfig } from "@/shared/api/model.ts";

/** Prepares what a tap on a video will need. A tap that may lead to the vendor page shows nothing. */
export function readyPlayer({ isAuthRequired, loginVideoSwitch }: RuntimeConfig): void {
  const mayTurnAway = isAuthRequired || loginVideoSwitch;
  preloadPlayer({ ...AD_GATE, isOpen: () => !mayTurnAway && AD_GATE.isOpen() });
}
