import {
  type Icon,
  IconChartBar,
  IconDatabaseExport,
  IconDeviceDesktop,
  IconFlag3,
  IconHistory,
  IconLayoutDashboard,
  IconLayoutGrid,
  IconListCheck,
  IconMovie,
  IconStethoscope,
  IconUpload,
} from "@tabler/icons-react";
import type { Role } from "@/shared/api/types.ts";

export interface Entry {
  readonly to:
    | "/"
    | "/more"
    | "/videos"
    | "/uploads"
    | "/jobs"
    | "/figures"
    | "/visitors"
    | "/sessions"
    | "/audit"
    | "/backups"
    | "/doctor"
    | "/content";
  readonly label: string;
  readonly icon: Icon;
  /** The least role that sees it. */
  readonly role: Role;
}

/** The pages in the order of how often they are opened. */
export const ENTRIES: readonly Entry[] = [
  { to: "/", label: "总览", icon: IconLayoutDashboard, role: "viewer" },
  { to: "/videos", label: "视频", icon: IconMovie, role: "viewer" },
  { to: "/uploads", label: "上传", icon: IconUpload, role: "editor" },
  { to: "/jobs", label: "导入队列", icon: IconListCheck, role: "viewer" },
  { to: "/visitors", label: "举报与反馈", icon: IconFlag3, role: "viewer" },
  { to: "/figures", label: "数据", icon: IconChartBar, role: "viewer" },
  { to: "/content", label: "内容", icon: IconLayoutGrid, role: "viewer" },
  { to: "/backups", label: "备份", icon: IconDatabaseExport, role: "owner" },
  { to: "/doctor", label: "体检", icon: IconStethoscope, role: "viewer" },
  { to: "/audit", label: "操作记录", icon: IconHistory, role: "owner" },
  { to: "/sessions", label: "登录与密钥", icon: IconDeviceDesktop, role: "viewer" },
];
