import { useCallback, useEffect, useState } from "react";
import { after } from "@/player/timing.ts";
import { removeFirstPicture } from "@/shared/covers/first-picture.ts";

/** A poster that takes longer delays nothing, in milliseconds. */
const MAX_WAIT_MS = 1500;

/**
 * A visitor who comes by address sees the poster first: the engine is large and would keep the
 * network and the processor from drawing it.
 *
 * @param isWanted - False where the visitor has tapped a tile: then the moving picture itself is
 *   what counts.
 * @returns Whether the video may be opened, and what to call when the poster stands there.
 */
export function usePosterFirst(isWanted: boolean): readonly [boolean, () => void] {
  const [isOver, setOver] = useState(!isWanted);
  useEffect(() => (isOver ? undefined : after(MAX_WAIT_MS, () => setOver(true))), [isOver]);
  useEffect(() => {
    if (isOver) removeFirstPicture();
    return removeFirstPicture;
  }, [isOver]);
  const settle = useCallback(() => {
    // The frame that shows it has yet to be painted.
    requestAnimationFrame(() => setTimeout(() => setOver(true)));
  }, []);
  return [isOver, settle];
}
