import * as z from "zod/mini";
import type { VideoState } from "@/shared/api/types.ts";

export const STATES: readonly VideoState[] = [
  "shown",
  "hidden",
  "scheduled",
  "unfinished",
  "removed",
];

const NAMES: Record<VideoState, string> = {
  shown: "已发布",
  hidden: "已隐藏",
  scheduled: "定时发布",
  unfinished: "未完成",
  removed: "回收站",
};

export function stateName(state: VideoState): string {
  return NAMES[state];
}

/** Names as typed into one field, `海边、旅行`, in order and without repetitions. */
export function namesOf(text: string): string[] {
  const parts = text.split(/[、，,\n]/).map((part) => part.trim());
  return [...new Set(parts.filter(Boolean))];
}

/** The same, to be typed again. */
export function joined(names: readonly string[]): string {
  return names.join("、");
}

/** As the server has it, in characters. */
export const LONGEST_LABEL = 40;

/**
 * A form's field for such names.
 *
 * @param what - One of them on screen.
 * @param tooMany - Said of more than `most`.
 */
export function namesField(what: string, longest: number, most: number, tooMany: string) {
  return z.string().check(
    z.refine((typed) => namesOf(typed).length <= most, tooMany),
    z.refine(
      (typed) => namesOf(typed).every((name) => name.length <= longest),
      `每个${what}最多 ${longest} 个字`,
    ),
  );
}
