import * as z from "zod/mini";
import { PICTURE } from "@/features/content/picture-rule.ts";

const COLOUR = z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/, "写成 #rrggbb，例如 #0f1014"));

function atMost(length: number) {
  return z.string().check(z.trim(), z.maxLength(length, `最多 ${length} 个字`));
}

/** The texts of the site, by the server's names. */
const TEXTS = z.object({
  name: atMost(20).check(z.minLength(1, "请写站名")),
  short_name: atMost(12),
  slogan: atMost(40),
  description: atMost(160).check(z.minLength(1, "请写简介")),
  footer: atMost(200),
  contact: atMost(200),
  share_text: atMost(120),
  theme_dark: COLOUR,
  theme_light: COLOUR,
  url: z.string().check(z.trim()),
});

/** What the page lets an owner change. */
export const FORM = z.object({
  texts: TEXTS,
  logo: PICTURE,
  removesLogo: z.boolean(),
  icon: PICTURE,
  removesIcon: z.boolean(),
});

export type Form = z.infer<typeof FORM>;
export type TextName = keyof Form["texts"];

interface TextEntry {
  readonly name: TextName;
  readonly label: string;
  readonly hint: string;
}

/** How the site is called, in the order of the page. */
export const NAMES: readonly TextEntry[] = [
  { name: "name", label: "站名", hint: "标题、分享卡片和封面上的名字，最多 20 个字" },
  { name: "short_name", label: "短名", hint: "装到桌面后图标下面的字；空着就用站名" },
  { name: "slogan", label: "标语", hint: "站名旁边的一句话；空着不显示" },
  { name: "url", label: "站点地址", hint: "例如 https://example.com；分享卡片和站点地图要用" },
];

/** What it says elsewhere. */
export const SENTENCES: readonly TextEntry[] = [
  { name: "description", label: "简介", hint: "给搜索引擎和聊天软件看，最多 160 个字" },
  { name: "share_text", label: "分享文案", hint: "分享卡片上标题下面的话；空着就用简介" },
  { name: "footer", label: "页脚", hint: "首页最下面；空着是站名和标语" },
  { name: "contact", label: "联系方式", hint: "显示在“我的”页面；空着不显示" },
];

export const COLOURS: readonly TextEntry[] = [
  { name: "theme_dark", label: "深色主题色", hint: "深色时浏览器栏的颜色，也是图标的底色" },
  { name: "theme_light", label: "浅色主题色", hint: "浅色时浏览器栏的颜色" },
];

/** Every name that the server may say something of. */
export const FIELDS: readonly string[] = [
  ...[...NAMES, ...SENTENCES, ...COLOURS].map(({ name }) => name),
  "logo",
  "icon",
];
