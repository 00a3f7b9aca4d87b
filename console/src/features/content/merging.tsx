import { useState } from "react";
import { MergeField } from "@/features/content/merge-field.tsx";
import { saidOf, type useContentChange } from "@/features/content/use-content.ts";
import { ConfirmDialog } from "@/shared/ui/dialog.tsx";

interface MergingProps {
  /** The calls' path: `artists`. */
  readonly path: string;
  readonly row: { readonly id: number; readonly name: string };
  readonly change: ReturnType<typeof useContentChange>;
}

/** Merges a row into another one after a question: the first is gone. */
export function Merging({ path, row, change }: MergingProps) {
  const [into, setInto] = useState<{ readonly id: number; readonly name: string } | null>(null);
  return (
    <>
      <MergeField path={path} row={row} onChoose={setInto} fault={saidOf(change.error, "into")} />
      {into ? (
        <ConfirmDialog
          title="合并"
          text={`“${row.name}”的视频将归入“${into.name}”，“${row.name}”会消失，不能恢复。`}
          action="确认合并"
          isBusy={change.isPending}
          fault={undefined}
          onConfirm={() => {
            change.mutate({
              method: "POST",
              path: `${path}/${row.id}/merge`,
              body: { into: into.id },
            });
            setInto(null);
          }}
          onClose={() => {
            setInto(null);
          }}
        />
      ) : null}
    </>
  );
}
