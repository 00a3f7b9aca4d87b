import { createContext, use } from "react";
import { useStore } from "zustand";
import type { ControlsVisibility } from "@/player/controls-visibility.ts";
import type { FullScreen, FullscreenMode } from "@/player/fullscreen.ts";
import type { PlaybackState } from "@/player/playback-state.ts";
import type { PlaybackSession } from "@/player/session.ts";

/** The parts of one player, which are created and disposed together. */
export interface PlayerParts {
  readonly session: PlaybackSession;
  readonly controls: ControlsVisibility;
  readonly fullScreen: FullScreen;
}

export const PlayerContext = createContext<PlayerParts | null>(null);

/** The player around a control. */
export function usePlayerParts(): PlayerParts {
  const parts = use(PlayerContext);
  if (!parts) throw new Error("a player control stands outside a player");
  return parts;
}

/** A part of the playback state; the component rerenders for that part only. */
export function usePlayback<T>(select: (state: PlaybackState) => T): T {
  return useStore(usePlayerParts().session.store, select);
}

export function useControlsVisible(): boolean {
  return useStore(usePlayerParts().controls.store, (state) => state.visible);
}

export function useFullscreenMode(): FullscreenMode | null {
  return useStore(usePlayerParts().fullScreen.store, (state) => state.mode);
}
