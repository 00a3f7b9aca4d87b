/** What the choices of content are called: in its forms, and in the log. */

/** Places of advertisements. */
export const SLOT_NAMES: Readonly<Record<string, string>> = {
  LIST: "列表",
  PLAYBEFORE: "播放之前",
  PLAYINFO: "播放页",
  SHORT_VIDEO: "短视频",
  USER: "我的页面",
  EXPLODE: "弹窗",
  BANNER: "轮播图",
};

/** Kinds of links, in the order of the page. */
export const LINK_KINDS: Readonly<Record<string, string>> = {
  exchange: "友情链接",
  community: "社区",
  activity: "活动",
  checkin: "签到",
};

/** Icons of the bar at the foot. */
export const ICON_NAMES: Readonly<Record<string, string>> = {
  home: "房子",
  trophy: "奖杯",
  compass: "指南针",
  carousel: "卡片",
  eye: "眼睛",
  user: "人像",
};
