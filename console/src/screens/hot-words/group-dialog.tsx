import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import {
  saidOf,
  saidOfNone,
  useContentChange,
  useMayEdit,
} from "@/features/content/use-content.ts";
import { joined, namesOf } from "@/features/videos/names.ts";
import type { HotGroup } from "@/shared/api/types.ts";
import { EditorDialog } from "@/shared/ui/editor-dialog.tsx";
import { Field } from "@/shared/ui/field.tsx";

const FORM = z.object({
  title: z.string().check(z.trim(), z.minLength(1, "请写标题"), z.maxLength(40, "最多 40 个字")),
  words: z.string().check(
    z.refine((text) => namesOf(text).length > 0, "请至少写一个词"),
    z.refine((text) => namesOf(text).length <= 20, "最多 20 个词"),
  ),
});

/** A pinned group of hot words. */
export function GroupDialog({
  group,
  words,
  onClose,
}: {
  readonly group: HotGroup | null;
  /** What a new one begins with. */
  readonly words: string;
  readonly onClose: () => void;
}) {
  const mayEdit = useMayEdit();
  const change = useContentChange(onClose);
  const form = useForm<z.infer<typeof FORM>>({
    resolver: zodResolver(FORM),
    defaultValues: {
      title: group?.title ?? "编辑推荐",
      words: group ? joined(group.words) : words,
    },
  });
  const { errors } = form.formState;
  const submit = form.handleSubmit((given) => {
    change.mutate({
      method: "POST",
      path: "hot-words/groups",
      body: {
        title: given.title,
        words: namesOf(given.words),
        was: group?.title ?? "",
        revision: group?.revision ?? "",
      },
    });
  });
  return (
    <EditorDialog
      title={group ? "修改热搜组" : "置顶一组热搜词"}
      onClose={onClose}
      onSubmit={() => void submit()}
      isBusy={change.isPending}
      fault={saidOfNone(change.error, ["title", "words"])}
      mayEdit={mayEdit}
      actions={
        group
          ? [
              {
                name: "取消置顶",
                question: `热搜组“${group.title}”将被删除。`,
                run: () => {
                  change.mutate({
                    method: "POST",
                    path: "hot-words/groups/remove",
                    body: { title: group.title },
                  });
                },
              },
            ]
          : []
      }
    >
      <Field label="标题" fault={errors.title?.message ?? saidOf(change.error, "title")}>
        {(given) => <input {...given} autoComplete="off" {...form.register("title")} />}
      </Field>
      <Field
        label="热词，用顿号分开，按显示的次序"
        fault={errors.words?.message ?? saidOf(change.error, "words")}
      >
        {(given) => <textarea {...given} rows={3} {...form.register("words")} />}
      </Field>
    </EditorDialog>
  );
}
