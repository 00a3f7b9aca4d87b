import { TEXT } from "@/shared/messages/texts.ts";

/** Types of issue; the first is the default (specification §5). */
export const ISSUES = [
  "无法播放",
  "播放卡顿",
  "标签错误",
  "分类错误",
  "搜索不准",
  "推荐不准",
  "其他",
] as const;

export type Issue = (typeof ISSUES)[number];

/** Fewest and most characters of a description (specification §5). */
export const SHORTEST = 8;
export const LONGEST = 180;

/** Characters without surrounding blanks, counted as code points like on the server. */
export function contentLength(text: string): number {
  return Array.from(text.trim()).length;
}

/** What is wrong with a description; null where nothing is. */
export function contentProblem(text: string): string | null {
  const length = contentLength(text);
  if (length === 0) return TEXT.feedbackEmpty;
  return length < SHORTEST || length > LONGEST ? TEXT.feedbackLength : null;
}
