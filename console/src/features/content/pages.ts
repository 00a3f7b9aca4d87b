import {
  type Icon,
  IconAd2,
  IconBell,
  IconBuildingStore,
  IconCategory,
  IconFileOff,
  IconFlame,
  IconLayoutNavbar,
  IconLink,
  IconRating18Plus,
  IconSettings,
  IconSlideshow,
  IconStack2,
  IconTags,
  IconUsers,
  IconWorld,
} from "@tabler/icons-react";
import type { Role } from "@/shared/api/types.ts";

interface ContentPage {
  readonly to:
    | "/content/ads"
    | "/content/banners"
    | "/content/notices"
    | "/content/hot-words"
    | "/content/categories"
    | "/content/tabs"
    | "/content/topics"
    | "/content/links"
    | "/content/artists"
    | "/content/labels"
    | "/content/partners"
    | "/content/site"
    | "/content/age-gate"
    | "/content/removals"
    | "/content/settings";
  readonly label: string;
  /** What one does there. */
  readonly about: string;
  readonly icon: Icon;
  /** The least role that sees it. */
  readonly role: Role;
}

/** Whatever visitors see beside the videos, in the order of how often it is changed. */
export const CONTENT_PAGES: readonly ContentPage[] = [
  {
    to: "/content/ads",
    label: "广告",
    about: "各个位置的广告，图片、链接和起止时间",
    icon: IconAd2,
    role: "viewer",
  },
  {
    to: "/content/banners",
    label: "轮播图",
    about: "首页顶部的大图和它们的次序",
    icon: IconSlideshow,
    role: "viewer",
  },
  {
    to: "/content/notices",
    label: "公告",
    about: "“我的”页面上的通知",
    icon: IconBell,
    role: "viewer",
  },
  {
    to: "/content/hot-words",
    label: "热搜词",
    about: "置顶、屏蔽，访客在搜什么",
    icon: IconFlame,
    role: "viewer",
  },
  {
    to: "/content/categories",
    label: "分类",
    about: "名称、图标、次序，隐藏",
    icon: IconCategory,
    role: "viewer",
  },
  {
    to: "/content/tabs",
    label: "底部入口",
    about: "手机底部的几个入口",
    icon: IconLayoutNavbar,
    role: "viewer",
  },
  {
    to: "/content/topics",
    label: "专题",
    about: "挑几个视频放在一起",
    icon: IconStack2,
    role: "viewer",
  },
  {
    to: "/content/links",
    label: "友情链接",
    about: "“我的”页面上的链接",
    icon: IconLink,
    role: "viewer",
  },
  {
    to: "/content/artists",
    label: "艺人",
    about: "改名、头像、简介，合并",
    icon: IconUsers,
    role: "viewer",
  },
  {
    to: "/content/labels",
    label: "标签",
    about: "改名、合并、删除",
    icon: IconTags,
    role: "viewer",
  },
  {
    to: "/content/partners",
    label: "合作方",
    about: "谁可以内嵌本站，密钥",
    icon: IconBuildingStore,
    role: "owner",
  },
  {
    to: "/content/site",
    label: "网站信息",
    about: "站名、标志、图标、颜色和文案",
    icon: IconWorld,
    role: "owner",
  },
  {
    to: "/content/age-gate",
    label: "确认年龄",
    about: "整个网站的开关，问访客的话",
    icon: IconRating18Plus,
    role: "owner",
  },
  {
    to: "/content/removals",
    label: "下架公示",
    about: "公开永久下架的日期和原因",
    icon: IconFileOff,
    role: "owner",
  },
  {
    to: "/content/settings",
    label: "设置",
    about: "现在的设置，各有什么用（只能看）",
    icon: IconSettings,
    role: "owner",
  },
];
