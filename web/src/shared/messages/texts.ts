import { CORE_TEXT } from "./core-texts.ts";

/** Every sentence that the specification fixes (§4, §5, §8), word for word. */
export const TEXT = {
  ...CORE_TEXT,
  listEnd: "没有更多了",
  refreshed: "刷新成功",
  favouriteAdded: "收藏成功!",
  favouriteRemoved: "取消收藏成功!",
  linkCopied: "已复制链接",
  linkCopyFailed: "复制链接失败",
  comingSoon: "精彩将上，请保持关注！",
  noticesEmpty: "暂无公告",
  changeBrowser: "请尝试更换浏览器后再观看!!!",
  illegalPlay: "不合法播放!",
  feedbackEmpty: "详情描述不能为空",
  feedbackLength: "详情描述仅能介于 8 ~ 180 个字符",
  feedbackSent: "提交成功，感谢您的反馈！",
  codeInvalid: "请输入正确的资料识别码",
  codeUnchanged: "资料识别码未变更",
  codeLimit: "24小时内只能更改2次，请稍后再试!",
  codeChanged: (left: number) => `资料识别码已变更，请牢记保存！今日剩馀变更次数：${left}`,
} as const;
