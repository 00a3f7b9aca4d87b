import { ICON_NAMES, LINK_KINDS, SLOT_NAMES } from "@/features/content/choices.ts";
import { valueName } from "@/screens/audit/actions.ts";
import { moment } from "@/shared/format/moment.ts";

/** Names of categories by their numbers, as far as they are known. */
export type Names = ReadonlyMap<number, string>;

const NOTHING = "（无）";
const WORDS: Record<string, Readonly<Record<string, string>>> = {
  role: { owner: "站长", editor: "编辑", viewer: "查看" },
  state: {
    new: "未处理",
    in_work: "处理中",
    done: "已处理",
    removed: "已移入回收站",
    restored: "已恢复",
    dismissed: "没有违规",
    shown: "已发布",
    hidden: "已隐藏",
    scheduled: "定时发布",
    unfinished: "未完成",
    failed: "失败",
    cancelled: "已取消",
  },
  slot: SLOT_NAMES,
  kind: LINK_KINDS,
  icon: ICON_NAMES,
};
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

/** Whether a value says nothing: none, an empty text, an empty list. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return Array.isArray(value) && value.length === 0;
}

/**
 * A value of the log as one would say it.
 *
 * @param name - what the log calls it: `state`, `category`.
 */
export function spoken(name: string, value: unknown, categories: Names): string {
  if (isEmpty(value)) return NOTHING;
  if (typeof value === "boolean") return value ? "是" : "否";
  if (typeof value === "number")
    return name === "category" ? (categories.get(value) ?? `分类 ${value}`) : String(value);
  if (typeof value === "string")
    return WORDS[name]?.[value] ?? (TIME.test(value) ? moment(value) : value);
  if (Array.isArray(value)) return value.map((one) => spoken(name, one, categories)).join("、");
  return Object.entries(value as Record<string, unknown>)
    .filter(([, one]) => !isEmpty(one))
    .map(([part, one]) => `${valueName(part)} ${spoken(part, one, categories)}`)
    .join("，");
}
