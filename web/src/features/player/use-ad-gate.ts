import { type Dispatch, useEffect, useReducer } from "react";
import { type GateEvent, type GateState, passGate } from "@/player/ad-gate.ts";
import type { Ad } from "@/shared/api/model.ts";

/**
 * The pre-roll gate of one visit to a video.
 *
 * @param ads - the slot's advertisements; undefined while they are asked for, empty when there are
 *   none, the visitor is spared them or the call failed: then the gate is open.
 */
export function useAdGate(
  ads: readonly Ad[] | undefined,
): [GateState<Ad>, Dispatch<GateEvent<Ad>>] {
  const first = ads?.[0];
  const [gate, dispatch] = useReducer(passGate<Ad>, ads, firstState);
  useEffect(() => {
    if (ads) dispatch(first ? { type: "ad", ad: first } : { type: "no-ad" });
  }, [ads, first]);
  return [gate, dispatch];
}

/**
 * A gate without anything to wait for is open from the first rendering, so that playback starts
 * within the tap.
 */
function firstState(ads: readonly Ad[] | undefined): GateState<Ad> {
  return ads?.length === 0 ? { phase: "open" } : { phase: "asking" };
}
