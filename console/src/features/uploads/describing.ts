import { isPassing } from "@/features/uploads/sending.ts";
import { CallError, call } from "@/shared/api/call.ts";
import type { UploadDetails } from "@/shared/api/types.ts";

const RETRY_MS = [500, 2000, 5000];

/** How the server took what was typed. */
export interface Outcome {
  /** The refusal; null where it has it, or where it no longer matters. */
  readonly error: CallError | null;
  /** Whether it may go well later. */
  readonly isPassing: boolean;
}

const TOLD: Outcome = { error: null, isPassing: false };

/**
 * Tells the server what was typed of a film, a few times where nobody answers.
 *
 * @param isWanted - Whether it still is what the operator means.
 */
export async function tellDetails(
  id: string,
  details: UploadDetails,
  isWanted: () => boolean,
): Promise<Outcome> {
  for (let tries = 0; isWanted(); tries += 1) {
    try {
      await call(`/api/uploads/${id}/details`, { method: "PUT", body: details });
      return TOLD;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const wait = RETRY_MS[tries];
      // Asked again, it still is nobody who is logged in.
      if (!isPassing(error.status) || error.status === 401 || wait === undefined)
        return { error, isPassing: isPassing(error.status) };
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  return TOLD;
}
