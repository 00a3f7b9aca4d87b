import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { ME } from "@/features/session/me.ts";
import { enrolPasskey } from "@/features/session/open.ts";
import { Dialog } from "@/shared/ui/dialog.tsx";

const FORM = z.object({
  label: z
    .string()
    .check(z.trim(), z.minLength(1, "请给它起个名字"), z.maxLength(40, "最多 40 个字")),
});

/** Names a new passkey and has the device make it. */
export function EnrolDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const form = useForm({ resolver: zodResolver(FORM), defaultValues: { label: "" } });
  const enrolling = useMutation({
    mutationFn: ({ label }: z.infer<typeof FORM>) => enrolPasskey(label),
    onSuccess: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: ["passkeys"] }),
        client.invalidateQueries({ queryKey: ME.queryKey }),
      ]);
      onClose();
    },
  });
  const fault = form.formState.errors.label?.message ?? enrolling.error?.message;
  return (
    <Dialog title="登记通行密钥" onClose={onClose}>
      <form
        className="dialog-body"
        onSubmit={(event) => {
          void form.handleSubmit((given) => {
            enrolling.mutate(given);
          })(event);
        }}
      >
        <div className="field">
          <label htmlFor="label">名称，例如“我的手机”</label>
          <input
            id="label"
            autoComplete="off"
            aria-invalid={fault !== undefined}
            aria-describedby="label-fault"
            {...form.register("label")}
          />
          <p id="label-fault" className="field-fault" role="alert">
            {fault}
          </p>
        </div>
        <div className="dialog-actions">
          <button type="button" className="button button-small" onClick={onClose}>
            取消
          </button>
          <button
            type="submit"
            className="button button-small button-primary"
            disabled={enrolling.isPending}
          >
            登记
          </button>
        </div>
      </form>
    </Dialog>
  );
}
