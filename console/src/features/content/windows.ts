import type { WindowState } from "@/shared/api/types.ts";
import { moment } from "@/shared/format/moment.ts";

const NAMES: Record<WindowState, string> = {
  running: "显示中",
  waiting: "未开始",
  ended: "已结束",
};

export function windowName(state: WindowState): string {
  return NAMES[state];
}

/** From when until when: 一直, 到 2026/12/01 08:00. */
export function windowText(starts: string | null, ends: string | null): string {
  if (starts && ends) return `${moment(starts)} 到 ${moment(ends)}`;
  if (starts) return `从 ${moment(starts)} 起`;
  return ends ? `到 ${moment(ends)}` : "一直显示";
}
