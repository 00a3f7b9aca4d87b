import { zodResolver } from "@hookform/resolvers/zod";
import { Controller, useForm } from "react-hook-form";
import * as z from "zod/mini";
import { PICTURE } from "@/features/content/picture-rule.ts";
import {
  saidOf,
  saidOfNone,
  useContentChange,
  useMayEdit,
} from "@/features/content/use-content.ts";
import { base64Of } from "@/shared/api/base64.ts";
import type { CategoryItem } from "@/shared/api/types.ts";
import { EditorDialog } from "@/shared/ui/editor-dialog.tsx";
import { Field } from "@/shared/ui/field.tsx";
import { PictureField } from "@/shared/ui/picture-field.tsx";

const FORM = z.object({
  name: z.string().check(z.trim(), z.minLength(1, "请写名称"), z.maxLength(40, "最多 40 个字")),
  isHidden: z.boolean(),
  isGated: z.boolean(),
  image: PICTURE,
});

/** A category. */
export function CategoryDialog({
  category,
  onClose,
}: {
  readonly category: CategoryItem | null;
  readonly onClose: () => void;
}) {
  const mayEdit = useMayEdit();
  const change = useContentChange(onClose);
  const form = useForm<z.infer<typeof FORM>>({
    resolver: zodResolver(FORM),
    defaultValues: {
      name: category?.name ?? "",
      isHidden: category?.is_hidden ?? false,
      isGated: category?.is_gated ?? false,
      image: null,
    },
  });
  const { errors } = form.formState;
  const submit = form.handleSubmit(async ({ name, isHidden, isGated, image }) => {
    const body = {
      name,
      is_hidden: isHidden,
      is_gated: isGated,
      image: image ? await base64Of(image) : null,
      revision: category?.revision ?? "",
    };
    const path = category ? `categories/${category.id}` : "categories";
    change.mutate({ method: category ? "PUT" : "POST", path, body });
  });
  return (
    <EditorDialog
      title={category ? "修改分类" : "新建分类"}
      onClose={onClose}
      onSubmit={() => void submit()}
      isBusy={change.isPending}
      fault={saidOfNone(change.error, ["name", "image"])}
      mayEdit={mayEdit}
      actions={
        category && category.videos === 0
          ? [
              {
                name: "删除",
                question: `分类“${category.name}”将被删除，不能恢复。`,
                run: () => {
                  change.mutate({ method: "DELETE", path: `categories/${category.id}` });
                },
              },
            ]
          : []
      }
    >
      <Field label="名称" fault={errors.name?.message ?? saidOf(change.error, "name")}>
        {(given) => <input {...given} autoComplete="off" {...form.register("name")} />}
      </Field>
      {category?.is_reserved ? (
        <p className="row-meta">短视频和分享解锁从不出现在网站的分类里。</p>
      ) : (
        <label className="check">
          <input type="checkbox" {...form.register("isHidden")} />
          隐藏：不出现在首页和分类里
        </label>
      )}
      <label className="check">
        <input type="checkbox" {...form.register("isGated")} />
        需确认年龄：访客确认之前，看不到封面，也打不开视频
      </label>
      <Controller
        control={form.control}
        name="image"
        render={({ field }) => (
          <PictureField
            label="图标（可以不加）"
            hint="方的图片，192×192 最清楚；JPEG、PNG、WebP，最大 8 MB"
            stored={category?.picture?.url ?? null}
            file={field.value}
            onChoose={field.onChange}
            ratio={3}
            fault={errors.image?.message ?? saidOf(change.error, "image")}
          />
        )}
      />
      {category && category.videos > 0 && mayEdit ? (
        <p className="row-meta">有视频的分类不能删除，请先把视频移到别的分类。</p>
      ) : null}
    </EditorDialog>
  );
}
