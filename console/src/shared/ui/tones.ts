import type { Job, ReportState, VideoState, WindowState } from "@/shared/api/types.ts";

/**
 * What a state means to whoever reads it: nothing to do, as it should be, to be looked at, or
 * gone wrong.
 */
export type Tone = "neutral" | "good" | "attention" | "danger";

/** Whether a notice or an advertisement is shown now. */
export const WINDOW_TONES: Readonly<Record<WindowState, Tone>> = {
  running: "good",
  waiting: "neutral",
  ended: "neutral",
};

/** What was hidden, planned or put into the bin is as somebody wanted it. */
export const VIDEO_TONES: Readonly<Record<VideoState, Tone>> = {
  shown: "good",
  hidden: "neutral",
  scheduled: "neutral",
  unfinished: "attention",
  removed: "neutral",
};

const JOB_TONES: Readonly<Record<Job["state"], Tone>> = {
  running: "neutral",
  waiting: "neutral",
  failed: "danger",
  done: "good",
  cancelled: "neutral",
};

/** A failed import that waits for a decision has not gone wrong. */
export function jobTone(state: Job["state"], isUndecided: boolean): Tone {
  return isUndecided ? "attention" : JOB_TONES[state];
}

/** However a report was decided, it is decided. */
export const REPORT_TONES: Readonly<Record<ReportState, Tone>> = {
  new: "attention",
  in_work: "neutral",
  removed: "neutral",
  restored: "neutral",
  dismissed: "neutral",
};

/** How an examination ended. */
export function examinationTone(errors: number, warnings: number): Tone {
  if (errors > 0) return "danger";
  return warnings > 0 ? "attention" : "good";
}

/** Whether a backup can be read, and whether somebody tried. */
export function backupTone(isFaulty: boolean, isVerified: boolean): Tone {
  if (isFaulty) return "danger";
  return isVerified ? "good" : "neutral";
}

export function activeTone(isActive: boolean): Tone {
  return isActive ? "good" : "neutral";
}

/** Where visitors find nothing: a topic without videos, a word without results. */
export const EMPTY_TONE: Tone = "attention";
