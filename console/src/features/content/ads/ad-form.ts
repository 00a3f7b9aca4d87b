import * as z from "zod/mini";
import { momentOf, typedOf } from "@/features/content/moments.ts";
import { PICTURE } from "@/features/content/picture-rule.ts";
import { base64Of } from "@/shared/api/base64.ts";
import type { Ad } from "@/shared/api/types.ts";

export const AD_FORM = z
  .object({
    slot: z.string(),
    tag: z.string(),
    title: z.string().check(z.trim(), z.minLength(1, "请写标题"), z.maxLength(80, "最多 80 个字")),
    text: z.string().check(z.maxLength(120, "最多 120 个字")),
    url: z.string().check(z.trim(), z.minLength(1, "请写链接"), z.maxLength(500, "链接太长")),
    weight: z
      .int("应为 1 到 1000 的整数")
      .check(z.minimum(1, "至少 1"), z.maximum(1000, "最多 1000")),
    starts: z.string(),
    ends: z.string(),
    image: PICTURE,
    isNew: z.boolean(),
  })
  .check(
    z.refine(({ starts, ends }) => !starts || !ends || starts < ends, {
      message: "结束时间应晚于开始时间",
      path: ["ends"],
    }),
    z.refine(({ slot, tag }) => slot !== "BANNER" || tag !== "", {
      message: "请选择标签",
      path: ["tag"],
    }),
    z.refine(({ isNew, image }) => !isNew || image !== null, {
      message: "请选择图片",
      path: ["image"],
    }),
  );

export type AdForm = z.infer<typeof AD_FORM>;

/** What a form shows of an advertisement, or of a new one of a place. */
export function valuesOf(ad: Ad | null, slot: string, tag: string): AdForm {
  return {
    slot: ad?.slot ?? slot,
    tag: ad?.tag ?? tag,
    title: ad?.title ?? "",
    text: ad?.text ?? "",
    url: ad?.url ?? "",
    weight: ad?.weight ?? 1,
    starts: typedOf(ad?.starts_at),
    ends: typedOf(ad?.ends_at),
    image: null,
    isNew: ad === null,
  };
}

export async function bodyOf(form: AdForm, ad: Ad | null) {
  return {
    slot: form.slot,
    tag: form.slot === "BANNER" ? form.tag : null,
    title: form.title,
    text: form.text,
    url: form.url,
    weight: form.weight,
    starts_at: momentOf(form.starts, ad?.starts_at),
    ends_at: momentOf(form.ends, ad?.ends_at),
    image: form.image ? await base64Of(form.image) : null,
    revision: ad?.revision ?? "",
  };
}
