import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Merging } from "@/features/content/merging.tsx";
import {
  saidOf,
  saidOfNone,
  useContentChange,
  useMayEdit,
} from "@/features/content/use-content.ts";
import { EditorDialog } from "@/shared/ui/editor-dialog.tsx";
import { Field } from "@/shared/ui/field.tsx";

interface NameDialogProps {
  readonly title: string;
  /** The calls' path: `banner-tags`. */
  readonly path: string;
  /** None for a new one. */
  readonly row: { readonly id: number; readonly name: string; readonly revision: string } | null;
  readonly longest: number;
  /** What is asked before it is deleted. */
  readonly removal: string;
  /** Whether it may become part of another one. */
  readonly canMerge?: boolean;
  readonly onClose: () => void;
}

/** Whatever has a name alone. */
export function NameDialog(props: NameDialogProps) {
  const { title, path, row, longest, removal, canMerge = false, onClose } = props;
  const mayEdit = useMayEdit();
  const change = useContentChange(onClose);
  const rule = z.object({
    name: z
      .string()
      .check(z.trim(), z.minLength(1, "请写名称"), z.maxLength(longest, `最多 ${longest} 个字`)),
  });
  const form = useForm<z.infer<typeof rule>>({
    resolver: zodResolver(rule),
    defaultValues: { name: row?.name ?? "" },
  });
  const submit = form.handleSubmit(({ name }) => {
    change.mutate(
      row
        ? { method: "PUT", path: `${path}/${row.id}`, body: { name, revision: row.revision } }
        : { method: "POST", path, body: { name } },
    );
  });
  return (
    <EditorDialog
      title={title}
      onClose={onClose}
      onSubmit={() => void submit()}
      isBusy={change.isPending}
      fault={saidOfNone(change.error, ["name", "into"])}
      mayEdit={mayEdit}
      actions={
        row
          ? [
              {
                name: "删除",
                question: removal,
                run: () => {
                  change.mutate({ method: "DELETE", path: `${path}/${row.id}` });
                },
              },
            ]
          : []
      }
    >
      <Field
        label="名称"
        fault={form.formState.errors.name?.message ?? saidOf(change.error, "name")}
      >
        {(given) => <input {...given} autoComplete="off" {...form.register("name")} />}
      </Field>
      {row && canMerge && mayEdit ? <Merging path={path} row={row} change={change} /> : null}
    </EditorDialog>
  );
}
