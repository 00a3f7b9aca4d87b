import type { FeedbackState, ReportState } from "@/shared/api/types.ts";

/** How far the operator is with feedback, in the order of work. */
export const FEEDBACK_STATES: Readonly<Record<FeedbackState, string>> = {
  new: "未处理",
  in_work: "处理中",
  done: "已处理",
};

/** What becomes of a report; whoever reported it reads the same. */
export const REPORT_STATES: Readonly<Record<ReportState, string>> = {
  new: "未处理",
  in_work: "处理中",
  removed: "已下架",
  restored: "下架后恢复",
  dismissed: "没有违规",
};
