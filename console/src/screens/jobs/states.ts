import type { Job } from "@/shared/api/types.ts";

export type JobState = Job["state"];

export const JOB_STATES: Record<JobState, string> = {
  running: "进行中",
  waiting: "等待",
  failed: "失败",
  done: "完成",
  cancelled: "已取消",
};

/** Whether nothing happens to such a job any more. */
export function isEnded(state: JobState): boolean {
  return state === "failed" || state === "done" || state === "cancelled";
}

export function isJobState(value: unknown): value is JobState {
  return typeof value === "string" && Object.hasOwn(JOB_STATES, value);
}
