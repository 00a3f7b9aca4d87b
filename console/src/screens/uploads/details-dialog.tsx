import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import type { Transfer } from "@/features/uploads/transfer.ts";
import { UPLOADS, uploader } from "@/features/uploads/use-uploads.ts";
import { useCategories } from "@/features/videos/categories.ts";
import { detailsOf, FORM, type Form, valuesOf } from "@/screens/uploads/details-form.ts";
import { call } from "@/shared/api/call.ts";
import type { Upload } from "@/shared/api/types.ts";
import { Dialog } from "@/shared/ui/dialog.tsx";

/** What is said of a film while it is sent or encoded; what is left empty, the file says. */
export function DetailsDialog({
  upload,
  transfer,
  name,
  onClose,
}: {
  readonly upload: Upload | undefined;
  readonly transfer: Transfer | undefined;
  readonly name: string;
  readonly onClose: () => void;
}) {
  const client = useQueryClient();
  const categories = useCategories();
  const form = useForm<Form>({
    resolver: zodResolver(FORM),
    defaultValues: valuesOf(transfer?.details ?? upload?.details ?? {}),
  });
  const { errors } = form.formState;
  const save = useMutation({
    mutationFn: async (given: Form) => {
      const details = detailsOf(given);
      if (transfer) await uploader.describe(transfer.key, details);
      else if (upload)
        await call(`/api/uploads/${upload.id}/details`, { method: "PUT", body: details });
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: UPLOADS });
      onClose();
    },
  });
  return (
    <Dialog title="视频的信息" onClose={onClose}>
      <form
        className="details-form"
        onSubmit={(event) => {
          void form.handleSubmit((given) => {
            save.mutate(given);
          })(event);
        }}
      >
        <p className="page-lead">{name}</p>
        <div className="field">
          <label htmlFor="upload-title">标题，留空用文件里的</label>
          <input
            id="upload-title"
            autoComplete="off"
            aria-invalid={errors.title !== undefined}
            {...form.register("title")}
          />
          <p className="field-fault" role="alert">
            {errors.title?.message}
          </p>
        </div>
        <div className="field">
          <label htmlFor="upload-category">分类</label>
          <select id="upload-category" {...form.register("category")}>
            <option value="">文件里的，或未分类</option>
            {categories.map(({ id, name: category }) => (
              <option key={id} value={id}>
                {category}
              </option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor="upload-labels">标签，用顿号分开</label>
          <input
            id="upload-labels"
            autoComplete="off"
            aria-invalid={errors.labels !== undefined}
            {...form.register("labels")}
          />
          <p className="field-fault" role="alert">
            {errors.labels?.message}
          </p>
        </div>
        <div className="field">
          <label htmlFor="upload-artists">艺人，用顿号分开</label>
          <input
            id="upload-artists"
            autoComplete="off"
            aria-invalid={errors.artists !== undefined}
            {...form.register("artists")}
          />
          <p className="field-fault" role="alert">
            {errors.artists?.message}
          </p>
        </div>
        <label className="check">
          <input type="checkbox" {...form.register("isHidden")} />
          先不发布，处理完也隐藏
        </label>
        {save.error ? (
          <p className="field-fault" role="alert">
            {save.error.message}
          </p>
        ) : null}
        <div className="dialog-actions save-bar">
          <button type="button" className="button button-small" onClick={onClose}>
            关闭
          </button>
          <button
            type="submit"
            className="button button-small button-primary"
            disabled={save.isPending}
          >
            保存
          </button>
        </div>
      </form>
    </Dialog>
  );
}
