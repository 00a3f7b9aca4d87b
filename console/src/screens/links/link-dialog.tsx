import { zodResolver } from "@hookform/resolvers/zod";
import { Controller, useForm } from "react-hook-form";
import * as z from "zod/mini";
import { LINK_KINDS } from "@/features/content/choices.ts";
import { PICTURE } from "@/features/content/picture-rule.ts";
import {
  saidOf,
  saidOfNone,
  useContentChange,
  useMayEdit,
} from "@/features/content/use-content.ts";
import { base64Of } from "@/shared/api/base64.ts";
import type { LinkItem } from "@/shared/api/types.ts";
import { EditorDialog } from "@/shared/ui/editor-dialog.tsx";
import { Field } from "@/shared/ui/field.tsx";
import { PictureField } from "@/shared/ui/picture-field.tsx";

const FIELDS = ["kind", "title", "text", "url", "image"];
const FORM = z.object({
  kind: z.string(),
  title: z.string().check(z.trim(), z.minLength(1, "请写标题"), z.maxLength(80, "最多 80 个字")),
  text: z.string().check(z.maxLength(120, "最多 120 个字")),
  url: z.string().check(z.trim(), z.regex(/^https?:\/\//, "请写 https:// 开头的完整网址")),
  image: PICTURE,
});

/** A link of the page /mine. */
export function LinkDialog({
  link,
  onClose,
}: {
  readonly link: LinkItem | null;
  readonly onClose: () => void;
}) {
  const mayEdit = useMayEdit();
  const change = useContentChange(onClose);
  const form = useForm<z.infer<typeof FORM>>({
    resolver: zodResolver(FORM),
    defaultValues: {
      kind: link?.kind ?? "exchange",
      title: link?.title ?? "",
      text: link?.text ?? "",
      url: link?.url ?? "",
      image: null,
    },
  });
  const { errors } = form.formState;
  const said = (field: string) => saidOf(change.error, field);
  const submit = form.handleSubmit(async ({ image, ...given }) => {
    const body = {
      ...given,
      image: image ? await base64Of(image) : null,
      revision: link?.revision ?? "",
    };
    const path = link ? `links/${link.id}` : "links";
    change.mutate({ method: link ? "PUT" : "POST", path, body });
  });
  return (
    <EditorDialog
      title={link ? "修改链接" : "新建链接"}
      onClose={onClose}
      onSubmit={() => void submit()}
      isBusy={change.isPending}
      fault={saidOfNone(change.error, FIELDS)}
      mayEdit={mayEdit}
      actions={
        link
          ? [
              {
                name: "删除",
                question: `链接“${link.title}”将被删除，不能恢复。`,
                run: () => {
                  change.mutate({ method: "DELETE", path: `links/${link.id}` });
                },
              },
            ]
          : []
      }
    >
      <Field label="种类" fault={said("kind")}>
        {(given) => (
          <select {...given} {...form.register("kind")}>
            {Object.entries(LINK_KINDS).map(([kind, name]) => (
              <option key={kind} value={kind}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="标题" fault={errors.title?.message ?? said("title")}>
        {(given) => <input {...given} autoComplete="off" {...form.register("title")} />}
      </Field>
      <Field label="网址" fault={errors.url?.message ?? said("url")}>
        {(given) => (
          <input {...given} inputMode="url" autoComplete="off" {...form.register("url")} />
        )}
      </Field>
      <Field label="说明（可以不写）" fault={errors.text?.message ?? said("text")}>
        {(given) => <input {...given} autoComplete="off" {...form.register("text")} />}
      </Field>
      <Controller
        control={form.control}
        name="image"
        render={({ field }) => (
          <PictureField
            label="图片（可以不加）"
            hint="1280×557 最清楚；JPEG、PNG、WebP，最大 8 MB"
            stored={link?.picture?.url ?? null}
            file={field.value}
            onChoose={field.onChange}
            ratio={2.3}
            fault={errors.image?.message ?? said("image")}
          />
        )}
      />
    </EditorDialog>
  );
}
