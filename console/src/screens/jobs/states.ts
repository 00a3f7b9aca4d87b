import type { Job } from "@/shared/api/types.ts";

export type JobState = Job["state"];

export const JOB_STATES: Record<JobState, string> = {
  running: "进行中",
  waiting: "等待",
  failed: "失败",
  done: "完成",
  cancelled: "已取消",
};

export function isJobState(value: unknown): value is JobState {
  return typeof value === "string" && Object.hasOwn(JOB_STATES, value);
}
