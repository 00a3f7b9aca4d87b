import type { Job } from "@/shared/api/types.ts";

/** What the operator may accept of a job, by the fault that stopped it. */
const ACCEPTED = {
  held: {
    body: { accepts_match: true },
    question: "画面与已下架的内容相同。看过之后：确实不是同一内容，再仍要导入；导入后马上公开。",
  },
  damaged: {
    body: { accepts_damage: true },
    question: "文件里解码出错的帧太多。仍要导入的话，坏的地方会是花屏或停顿。",
  },
} as const;

export type Accepted = (typeof ACCEPTED)[keyof typeof ACCEPTED];

/** What an operator is asked of a job; null where nothing waits for him. */
export function undecided({ state, fault }: Pick<Job, "state" | "fault">): Accepted | null {
  if (state !== "failed") return null;
  return fault === "held" || fault === "damaged" ? ACCEPTED[fault] : null;
}
