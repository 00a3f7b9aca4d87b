import { useEffect, useState } from "react";
import { isAgeConfirmed } from "@/shared/api/age.ts";
import type { Video } from "@/shared/api/model.ts";
import { useConfig } from "@/shared/config/config.ts";
import { fillCovers } from "./gated-answers.ts";
import { giveKeys } from "./gated-keys.ts";

/**
 * The keys for the covers of videos that this device has kept: none of them is kept with one, and no
 * answer brings them.
 *
 * @param videos - As they were stored when the screen was shown first.
 * @returns Whether to draw them: at once where the site has no gate, otherwise once the keys are
 *   here or cannot be had.
 */
export function useStoredCovers(videos: readonly Video[]): boolean {
  const config = useConfig();
  const isNeeded = config.ageGate !== undefined && isAgeConfirmed() && videos.length > 0;
  const [isReady, setReady] = useState(!isNeeded);
  useEffect(() => {
    if (isReady) return;
    const items = videos.map(({ id, cover }) => ({ id, coverbase64: { ...cover } }));
    fillCovers(items)
      .then((keys) => giveKeys(config, keys))
      .catch((error: unknown) => console.warn(error)) // The list is readable without.
      .finally(() => setReady(true));
  }, [isReady, videos, config]);
  return isReady;
}
