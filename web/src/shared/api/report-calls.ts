import { call } from "./client.ts";
import type { SendAnswer, SendBody } from "./wire.ts";

/** Calls of reports (docs/product.md#reports). None says who asks. All reject with `ApiError`. */

const REPORT = "/api/report";
const STATE = "/api/report/state";

export type Reason = SendBody<"post", typeof REPORT>["reason"];

export interface Report {
  readonly videoId: number;
  readonly reason: Reason;
  /** An explanation; it may be empty. */
  readonly content: string;
  /** Where to ask back; it may be empty. */
  readonly contact: string;
}

/**
 * @returns The receipt, which tells later what became of the report.
 */
export async function sendReport({ videoId, ...said }: Report): Promise<string> {
  const body: SendBody<"post", typeof REPORT> = { video_id: videoId, ...said };
  return ((await call("POST", REPORT, { body })) as SendAnswer<"post", typeof REPORT>).receipt;
}

/**
 * @returns What became of a report, in words.
 */
export async function askReceipt(receipt: string): Promise<string> {
  const body: SendBody<"post", typeof STATE> = { receipt };
  return ((await call("POST", STATE, { body })) as SendAnswer<"post", typeof STATE>).text;
}
