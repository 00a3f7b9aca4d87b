import { zodResolver } from "@hookform/resolvers/zod";
import { Controller, useForm, useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { momentOf, typedOf } from "@/features/content/moments.ts";
import { PICTURE } from "@/features/content/picture-rule.ts";
import {
  saidOf,
  saidOfNone,
  useContentChange,
  useMayEdit,
} from "@/features/content/use-content.ts";
import { WindowFields } from "@/features/content/window-fields.tsx";
import { NoticePreview } from "@/screens/notices/notice-preview.tsx";
import { markupOf, textOf } from "@/screens/notices/notice-text.ts";
import { base64Of } from "@/shared/api/base64.ts";
import type { NoticeItem } from "@/shared/api/types.ts";
import { EditorDialog } from "@/shared/ui/editor-dialog.tsx";
import { Field } from "@/shared/ui/field.tsx";
import { PictureField } from "@/shared/ui/picture-field.tsx";

const FIELDS = ["title", "content", "starts_at", "ends_at", "image"];
const FORM = z
  .object({
    title: z
      .string()
      .check(z.trim(), z.minLength(1, "请写标题"), z.maxLength(120, "最多 120 个字")),
    content: z
      .string()
      .check(z.trim(), z.minLength(1, "请写内容"), z.maxLength(10_000, "最多 10000 个字")),
    starts: z.string(),
    ends: z.string(),
    image: PICTURE,
    removesImage: z.boolean(),
  })
  .check(
    z.refine(({ starts, ends }) => !starts || !ends || starts < ends, {
      message: "结束时间应晚于开始时间",
      path: ["ends"],
    }),
  );

type Form = z.infer<typeof FORM>;

/** A notice: written as plain text or HTML, and seen as visitors see it. */
export function NoticeDialog({
  notice,
  onClose,
}: {
  readonly notice: NoticeItem | null;
  readonly onClose: () => void;
}) {
  const mayEdit = useMayEdit();
  const change = useContentChange(onClose);
  const form = useForm<Form>({
    resolver: zodResolver(FORM),
    defaultValues: {
      title: notice?.title ?? "",
      content: notice ? textOf(notice.content) : "",
      starts: typedOf(notice?.starts_at),
      ends: typedOf(notice?.ends_at),
      image: null,
      removesImage: false,
    },
  });
  const { errors } = form.formState;
  const [title, content, removesImage, file] = useWatch({
    control: form.control,
    name: ["title", "content", "removesImage", "image"],
  });
  const said = (field: string) => saidOf(change.error, field);
  const submit = form.handleSubmit(async (given) => {
    const body = {
      title: given.title,
      content: markupOf(given.content),
      starts_at: momentOf(given.starts, notice?.starts_at),
      ends_at: momentOf(given.ends, notice?.ends_at),
      image: given.image ? await base64Of(given.image) : null,
      removes_image: given.removesImage,
      revision: notice?.revision ?? "",
    };
    const path = notice ? `notices/${notice.id}` : "notices";
    change.mutate({ method: notice ? "PUT" : "POST", path, body });
  });
  return (
    <EditorDialog
      title={notice ? "修改公告" : "新建公告"}
      onClose={onClose}
      onSubmit={() => void submit()}
      isBusy={change.isPending}
      fault={saidOfNone(change.error, FIELDS)}
      mayEdit={mayEdit}
      actions={
        notice
          ? [
              ...(notice.state === "running"
                ? [
                    {
                      name: "结束",
                      question: `“${notice.title}”将马上不再显示，之后可以改结束时间恢复。`,
                      run: () => {
                        change.mutate({ method: "POST", path: `notices/${notice.id}/end` });
                      },
                    },
                  ]
                : []),
              {
                name: "删除",
                question: `公告“${notice.title}”将被删除，不能恢复。`,
                run: () => {
                  change.mutate({ method: "DELETE", path: `notices/${notice.id}` });
                },
              },
            ]
          : []
      }
    >
      <Field label="标题" fault={errors.title?.message ?? said("title")}>
        {(given) => <input {...given} autoComplete="off" {...form.register("title")} />}
      </Field>
      <Field
        label="内容"
        hint="空一行分段；可以用 <b>、<ul>、<a href> 等 HTML"
        fault={errors.content?.message ?? said("content")}
      >
        {(given) => <textarea {...given} rows={6} {...form.register("content")} />}
      </Field>
      <Controller
        control={form.control}
        name="image"
        render={({ field }) => (
          <PictureField
            label="图片（可以不加）"
            hint="显示在文字上面，宽 1280 最清楚；JPEG、PNG、WebP、GIF，最大 8 MB"
            stored={removesImage ? null : (notice?.picture?.url ?? null)}
            file={field.value}
            onChoose={field.onChange}
            onRemove={() => {
              form.setValue("removesImage", true);
            }}
            ratio={ratioOf(notice)}
            fault={errors.image?.message ?? said("image")}
          />
        )}
      />
      <WindowFields
        starts={form.register("starts")}
        ends={form.register("ends")}
        startFault={said("starts_at")}
        endFault={errors.ends?.message ?? said("ends_at")}
      />
      {mayEdit ? (
        <NoticePreview
          title={title}
          content={markupOf(content)}
          file={file}
          picture={removesImage ? null : (notice?.picture?.url ?? null)}
        />
      ) : null}
    </EditorDialog>
  );
}

/** Of the stored picture; a new one is cut to nothing by visitors' screens. */
function ratioOf(notice: NoticeItem | null): number {
  const { width, height } = notice?.picture ?? { width: null, height: null };
  return width && height ? width / height : 16 / 9;
}
