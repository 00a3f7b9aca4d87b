import { send } from "./send.ts";

/**
 * What a player tells the server (docs/product.md#playback). `waitMs` is the time from the wish to
 * the first frame.
 */
export type PlayReport =
  | { readonly event: "view" | "stall" | "error" }
  | { readonly event: "start"; readonly waitMs: number };

/** Longest meaningful wait, milliseconds; in a longer one the page was asleep. */
const MAX_WAIT_MS = 600_000;

/**
 * Report to the server how a video plays; a failure is only logged: watching does not depend on it.
 */
export async function reportPlay(videoId: number, report: PlayReport): Promise<void> {
  const wait =
    report.event === "start" ? Math.min(MAX_WAIT_MS, Math.max(0, Math.round(report.waitMs))) : 0;
  try {
    await send("post", "/api/play/event", { id: videoId, event: report.event, wait });
  } catch (error) {
    console.info(error);
  }
}
