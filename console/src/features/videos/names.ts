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
