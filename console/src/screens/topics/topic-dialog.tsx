import { zodResolver } from "@hookform/resolvers/zod";
import { Controller, useForm, useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { PICTURE } from "@/features/content/picture-rule.ts";
import {
  saidOf,
  saidOfNone,
  useContentChange,
  useMayEdit,
} from "@/features/content/use-content.ts";
import { VideoPicker } from "@/screens/topics/video-picker.tsx";
import { base64Of } from "@/shared/api/base64.ts";
import type { TopicItem } from "@/shared/api/types.ts";
import { EditorDialog } from "@/shared/ui/editor-dialog.tsx";
import { Field } from "@/shared/ui/field.tsx";
import { PictureField } from "@/shared/ui/picture-field.tsx";

const FIELDS = ["title", "intro", "videos", "image"];
const FORM = z.object({
  title: z.string().check(z.trim(), z.minLength(1, "请写标题"), z.maxLength(80, "最多 80 个字")),
  intro: z.string().check(z.maxLength(400, "最多 400 个字")),
  videos: z
    .array(z.object({ id: z.number(), title: z.string() }))
    .check(z.maxLength(500, "最多 500 个视频")),
  image: PICTURE,
  removesImage: z.boolean(),
});

type Form = z.infer<typeof FORM>;

/** A topic: its words, its picture and its videos in order. */
export function TopicDialog({
  topic,
  onClose,
}: {
  readonly topic: TopicItem | null;
  readonly onClose: () => void;
}) {
  const mayEdit = useMayEdit();
  const change = useContentChange(onClose);
  const form = useForm<Form>({
    resolver: zodResolver(FORM),
    defaultValues: {
      title: topic?.title ?? "",
      intro: topic?.intro ?? "",
      videos: topic ? [...topic.videos] : [],
      image: null,
      removesImage: false,
    },
  });
  const { errors } = form.formState;
  const removesImage = useWatch({ control: form.control, name: "removesImage" });
  const said = (field: string) => saidOf(change.error, field);
  const submit = form.handleSubmit(async (given) => {
    const body = {
      title: given.title,
      intro: given.intro,
      videos: given.videos.map(({ id }) => id),
      image: given.image ? await base64Of(given.image) : null,
      removes_image: given.removesImage,
      revision: topic?.revision ?? "",
    };
    const path = topic ? `topics/${topic.id}` : "topics";
    change.mutate({ method: topic ? "PUT" : "POST", path, body });
  });
  return (
    <EditorDialog
      title={topic ? "修改专题" : "新建专题"}
      onClose={onClose}
      onSubmit={() => void submit()}
      isBusy={change.isPending}
      fault={saidOfNone(change.error, FIELDS)}
      mayEdit={mayEdit}
      actions={
        topic
          ? [
              {
                name: "删除",
                question: `专题“${topic.title}”将被删除，其中的视频不受影响。`,
                run: () => {
                  change.mutate({ method: "DELETE", path: `topics/${topic.id}` });
                },
              },
            ]
          : []
      }
    >
      <Field label="标题" fault={errors.title?.message ?? said("title")}>
        {(given) => <input {...given} autoComplete="off" {...form.register("title")} />}
      </Field>
      <Field label="简介（可以不写）" fault={errors.intro?.message ?? said("intro")}>
        {(given) => <textarea {...given} rows={2} {...form.register("intro")} />}
      </Field>
      <Controller
        control={form.control}
        name="videos"
        render={({ field }) => (
          <VideoPicker
            videos={field.value}
            onChange={field.onChange}
            fault={errors.videos?.message ?? said("videos")}
            mayEdit={mayEdit}
          />
        )}
      />
      <Controller
        control={form.control}
        name="image"
        render={({ field }) => (
          <PictureField
            label="图片（可以不加）"
            hint="没有时用第一个视频的封面；1280×720 最清楚，JPEG、PNG、WebP，最大 8 MB"
            stored={removesImage ? null : (topic?.picture?.url ?? null)}
            file={field.value}
            onChoose={field.onChange}
            onRemove={() => {
              form.setValue("removesImage", true);
            }}
            ratio={16 / 9}
            fault={errors.image?.message ?? said("image")}
          />
        )}
      />
    </EditorDialog>
  );
}
