"use no memo"; // Rendered too rarely for memoization to be worth its bytes in the first bundle.

import { useRef, useState } from "react";
import { recommendVideos } from "@/shared/api/calls.ts";
import type { Recommendation, Video } from "@/shared/api/model.ts";
import { CORE_TEXT } from "@/shared/messages/core-texts.ts";
import { showMessage } from "@/shared/messages/message-store.ts";
import { createThrottle } from "@/shared/throttle.ts";
import { batchesOf, nextPlace } from "./batches.ts";

interface Recommendations {
  /** The batch that is shown. */
  readonly videos: readonly Video[];
  /** Counts the changes, from 0. */
  readonly turn: number;
  readonly isLoading: boolean;
  /**
   * Show the next batch; presses while loading, or within a second of the last one, are ignored.
   */
  readonly change: () => void;
}

/**
 * Home's recommendations: three batches of a pool, then the next pool (docs/product.md#operator).
 *
 * @param first - The pool that home came with. Where home comes again, the batch stays.
 */
export function useRecommendations(first: Recommendation): Recommendations {
  const [shown, setShown] = useState({ pool: first, batch: 0, turn: 0 });
  const [isLoading, setLoading] = useState(false);
  const isBusy = useRef(false);
  const [mayAsk] = useState(() => createThrottle());
  const batches = batchesOf(shown.pool.videos);

  const change = async () => {
    if (isBusy.current) return;
    const place = nextPlace(
      { seed: shown.pool.seed, batch: shown.batch },
      batches.length,
      shown.pool.nextSeed,
    );
    if (place.seed === shown.pool.seed) {
      setShown({ ...shown, batch: place.batch, turn: shown.turn + 1 });
      return;
    }
    if (!mayAsk()) return;
    isBusy.current = true;
    setLoading(true);
    try {
      const pool = await recommendVideos(place.seed);
      setShown({ pool, batch: 0, turn: shown.turn + 1 });
    } catch (error) {
      console.warn(error);
      showMessage(CORE_TEXT.networkError);
    } finally {
      isBusy.current = false;
      setLoading(false);
    }
  };

  // Home that came again may say more of these videos, such as the covers behind the age gate.
  const renewed = (video: Video) => first.videos.find(({ id }) => id === video.id) ?? video;
  return {
    videos: (batches[shown.batch] ?? []).map(renewed),
    turn: shown.turn,
    isLoading,
    change: () => void change(),
  };
}
