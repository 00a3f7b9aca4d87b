/**
 * Why a video does not play, in the terms a viewer can act on.
 *
 * - `offline`: the device has no network - `network`: the server did not answer in time or broke
 * off - `gone`: 404 or 410: the video was taken down - `forbidden`: 401 or 403: the signed URL has
 * expired - `decode`: the browser cannot decode the data - `unsupported`: the browser cannot play
 * such a video at all
 */
export type FailureReason = "offline" | "network" | "gone" | "forbidden" | "decode" | "unsupported";

/** A failure and the position in seconds that a retry continues from. */
export interface PlaybackFailure {
  reason: FailureReason;
  at: number;
}

/** The reason behind a failed request. `status` is 0 where no answer came. */
export function reasonForStatus(status: number, online: boolean): FailureReason {
  if (!online) return "offline";
  if (status === 404 || status === 410) return "gone";
  if (status === 401 || status === 403) return "forbidden";
  return "network";
}

/** The reason behind a media element's own error code (HTML standard, `MediaError`). */
export function reasonForMediaError(code: number, online: boolean): FailureReason {
  switch (code) {
    case 2: // MEDIA_ERR_NETWORK
      return online ? "network" : "offline";
    case 3: // MEDIA_ERR_DECODE
      return "decode";
    default: // MEDIA_ERR_SRC_NOT_SUPPORTED also stands for an address that did not answer
      return online ? "unsupported" : "offline";
  }
}
