import type { FailureReason } from "@/player/failure.ts";

/** What went wrong and what the viewer can do about it. */
export const FAILURE_TEXT: Readonly<Record<FailureReason, string>> = {
  offline: "网络好像断开了",
  network: "服务器没有回应，请稍后再试",
  gone: "视频不存在或已下架",
  forbidden: "观看权限已过期，请重新打开这个视频",
  decode: "浏览器无法解码这个视频，可换清晰度再试",
  unsupported: "当前浏览器不支持播放，请尝试更换浏览器",
};
