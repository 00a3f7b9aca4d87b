import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { useCategories } from "@/features/videos/categories.ts";
import { LONGEST_LABEL, namesField, namesOf } from "@/features/videos/names.ts";
import { filterOf, type Search } from "@/features/videos/search.ts";
import { call } from "@/shared/api/call.ts";
import type { ManyChange } from "@/shared/api/types.ts";
import { count } from "@/shared/format/count.ts";
import { Dialog } from "@/shared/ui/dialog.tsx";

/** Which videos: some, or all that a filter leaves. */
export type Meant = { readonly count: number } & (
  | { readonly ids: readonly number[] }
  | { readonly search: Search }
);

/** As the server has it: so many labels at once. */
const MOST_LABELS = 10;

const LABELS = namesField("标签", LONGEST_LABEL, MOST_LABELS, `一次最多 ${MOST_LABELS} 个标签`);

const FORM = z
  .object({
    visibility: z.enum(["", "hide", "show"]),
    category: z.string(),
    added: LABELS,
    removed: LABELS,
  })
  .check(
    z.refine((given) => Object.values(given).some((value) => value.trim() !== ""), {
      message: "请选择要修改的内容",
      path: ["visibility"],
    }),
  );

type Form = z.infer<typeof FORM>;

/** Asks what to change, and changes it. */
export function BulkDialog({
  meant,
  onClose,
  onDone,
}: {
  readonly meant: Meant;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const client = useQueryClient();
  const categories = useCategories();
  const form = useForm<Form>({
    resolver: zodResolver(FORM),
    defaultValues: { visibility: "", category: "", added: "", removed: "" },
  });
  const changing = useMutation({
    mutationFn: (given: Form) =>
      call<{ changed: number }>("/api/videos/many", {
        method: "POST",
        body: { change: changeOf(given), ...bodyOf(meant) },
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["videos"] });
      onDone();
    },
  });
  const { errors } = form.formState;
  const fault =
    errors.visibility?.message ??
    errors.added?.message ??
    errors.removed?.message ??
    changing.error?.message;
  return (
    <Dialog title={`修改 ${count(meant.count)} 个视频`} onClose={onClose}>
      <form
        className="dialog-body"
        onSubmit={(event) => {
          void form.handleSubmit((given) => {
            changing.mutate(given);
          })(event);
        }}
      >
        <div className="field">
          <label htmlFor="visibility">显示</label>
          <select id="visibility" {...form.register("visibility")}>
            <option value="">不变</option>
            <option value="hide">隐藏</option>
            <option value="show">恢复显示</option>
          </select>
        </div>
        <div className="field">
          <label htmlFor="bulk-category">分类</label>
          <select id="bulk-category" {...form.register("category")}>
            <option value="">不变</option>
            {categories.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor="added">加上标签，用顿号分开</label>
          <input id="added" autoComplete="off" {...form.register("added")} />
        </div>
        <div className="field">
          <label htmlFor="removed">去掉标签，用顿号分开</label>
          <input id="removed" autoComplete="off" {...form.register("removed")} />
        </div>
        {fault ? (
          <p className="field-fault" role="alert">
            {fault}
          </p>
        ) : null}
        <div className="dialog-actions">
          <button type="button" className="button button-small" onClick={onClose}>
            取消
          </button>
          <button
            type="submit"
            className="button button-small button-primary"
            disabled={changing.isPending}
          >
            {changing.isPending ? "正在修改…" : "修改"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function changeOf(given: Form): ManyChange {
  return {
    ...(given.visibility ? { is_hidden: given.visibility === "hide" } : {}),
    ...(given.category ? { category: Number(given.category) } : {}),
    add_labels: namesOf(given.added),
    remove_labels: namesOf(given.removed),
  };
}

function bodyOf(meant: Meant): object {
  if ("ids" in meant) return { ids: meant.ids };
  return { filter: filterOf(meant.search), expected: meant.count };
}
