import type { Reason } from "@/shared/api/report-calls.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import { contentLength } from "./feedback-rules.ts";

/** What a video may be reported for; the last one wants an explanation. */
export const REASONS: readonly Reason[] = [
  "违法违规",
  "侵犯版权",
  "侵犯隐私",
  "伤害未成年人",
  "虚假广告",
  "其他",
];

/** Most characters of an explanation, and of a contact. */
export const LONGEST_REPORT = 500;
export const LONGEST_CONTACT = 100;

/** What is wrong with an explanation; null where nothing is. */
export function reportProblem(reason: Reason, content: string): string | null {
  const length = contentLength(content);
  if (length === 0 && reason === "其他") return TEXT.reportUnexplained;
  return length > LONGEST_REPORT ? TEXT.reportTooLong : null;
}

/** A receipt in groups of four, as people read it. */
export function groupedReceipt(receipt: string): string {
  return receipt.match(/.{1,4}/g)?.join("-") ?? receipt;
}
