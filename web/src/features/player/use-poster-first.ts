import { useCallback, useEffect, useState } from "react";
import { after } from "@/player/timing.ts";

/** A poster that takes longer than this holds nothing up, in milliseconds. */
const MAX_WAIT_MS = 1500;

/** What `public/first-picture.js` has drawn while the code was on its way. */
function removeFirstPicture(): void {
  document.getElementById("first-picture")?.remove();
}

/**
 * Whoever comes by the address sees the poster first: what moves it is large, and would keep the
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
    // The frame that shows it is still to be painted.
    requestAnimationFrame(() => setTimeout(() => setOver(true)));
  }, []);
  return [isOver, settle];
}
