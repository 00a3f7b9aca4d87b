import { zodResolver } from "@hookform/resolvers/zod";
import { Controller, useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Merging } from "@/features/content/merging.tsx";
import { PICTURE } from "@/features/content/picture-rule.ts";
import {
  saidOf,
  saidOfNone,
  useContentChange,
  useMayEdit,
} from "@/features/content/use-content.ts";
import { base64Of } from "@/shared/api/base64.ts";
import type { ArtistItem } from "@/shared/api/types.ts";
import { EditorDialog } from "@/shared/ui/editor-dialog.tsx";
import { Field } from "@/shared/ui/field.tsx";
import { PictureField } from "@/shared/ui/picture-field.tsx";

const FORM = z.object({
  name: z.string().check(z.trim(), z.minLength(1, "请写名称"), z.maxLength(80, "最多 80 个字")),
  intro: z.string().check(z.maxLength(400, "最多 400 个字")),
  image: PICTURE,
});

/** An artist. */
export function ArtistDialog({
  artist,
  onClose,
}: {
  readonly artist: ArtistItem;
  readonly onClose: () => void;
}) {
  const mayEdit = useMayEdit();
  const change = useContentChange(onClose);
  const form = useForm<z.infer<typeof FORM>>({
    resolver: zodResolver(FORM),
    defaultValues: { name: artist.name, intro: artist.intro, image: null },
  });
  const { errors } = form.formState;
  const said = (field: string) => saidOf(change.error, field);
  const submit = form.handleSubmit(async ({ image, ...given }) => {
    const body = {
      ...given,
      image: image ? await base64Of(image) : null,
      revision: artist.revision,
    };
    change.mutate({ method: "PUT", path: `artists/${artist.id}`, body });
  });
  return (
    <EditorDialog
      title="修改艺人"
      onClose={onClose}
      onSubmit={() => void submit()}
      isBusy={change.isPending}
      fault={saidOfNone(change.error, ["name", "intro", "image", "into"])}
      mayEdit={mayEdit}
    >
      <Field label="名称" fault={errors.name?.message ?? said("name")}>
        {(given) => <input {...given} autoComplete="off" {...form.register("name")} />}
      </Field>
      <Field label="简介" fault={errors.intro?.message ?? said("intro")}>
        {(given) => <textarea {...given} rows={3} {...form.register("intro")} />}
      </Field>
      <Controller
        control={form.control}
        name="image"
        render={({ field }) => (
          <PictureField
            label="头像"
            hint="方的图片，480×480 最清楚；JPEG、PNG、WebP，最大 8 MB"
            stored={artist.picture?.url ?? null}
            file={field.value}
            onChoose={field.onChange}
            ratio={1}
            fault={errors.image?.message ?? said("image")}
          />
        )}
      />
      {mayEdit ? <Merging path="artists" row={artist} change={change} /> : null}
    </EditorDialog>
  );
}
