// Written by `make openapi` from backend/src/liuying/features/tabs/rules.py.
import type { TabEntry } from "./model.ts";

/** What the tab bar shows until the operator's entries are known. */
export const DEFAULT_TABS: readonly TabEntry[] = [
  { key: "home", name: "首页", icon: "home", opens: "route", url: "/home", routes: ["home"] },
  {
    key: "rank",
    name: "排行",
    icon: "trophy",
    opens: "route",
    url: "/rank",
    routes: ["rank-page-view"],
  },
  {
    key: "find",
    name: "发现",
    icon: "compass",
    opens: "route",
    url: "/find",
    routes: ["find", "rank", "artist", "tags"],
  },
  { key: "miin", name: "miin", icon: "carousel", opens: "route", url: "/miin", routes: ["miin"] },
  {
    key: "favorites",
    name: "看看",
    icon: "eye",
    opens: "route",
    url: "/favorites",
    routes: ["favorites"],
  },
  { key: "mine", name: "我的", icon: "user", opens: "route", url: "/mine", routes: ["mine"] },
];

/** Icons that an entry may have. */
export type TabIconName =
  | "home"
  | "trophy"
  | "compass"
  | "carousel"
  | "eye"
  | "user";
