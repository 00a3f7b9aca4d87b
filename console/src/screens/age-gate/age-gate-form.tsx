import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { SettingForm } from "@/features/content/setting-form.tsx";
import { saidOf, saidOfNone, useContentChange } from "@/features/content/use-content.ts";
import type { AgeGate } from "@/shared/api/types.ts";
import { Field } from "@/shared/ui/field.tsx";

const FORM = z.object({
  coversSite: z.boolean(),
  title: z.string().check(z.trim(), z.maxLength(40, "最多 40 个字")),
  text: z.string().check(z.trim(), z.maxLength(300, "最多 300 个字")),
});

interface Props {
  readonly gate: AgeGate;
  /** The last change was saved; another state of the row is another form. */
  readonly isSaved: boolean;
  readonly onSaved: () => void;
}

/** The switch of the whole site, and what visitors are asked. */
export function AgeGateForm({ gate, isSaved, onSaved }: Props) {
  const change = useContentChange(onSaved);
  const form = useForm<z.infer<typeof FORM>>({
    resolver: zodResolver(FORM),
    defaultValues: { coversSite: gate.covers_site, title: gate.title, text: gate.text },
  });
  const { errors } = form.formState;
  const submit = form.handleSubmit(({ coversSite, title, text }) => {
    const body = { covers_site: coversSite, title, text, revision: gate.revision };
    change.mutate({ method: "PUT", path: "age-gate", body });
  });
  return (
    <SettingForm
      title="整个网站"
      isBusy={change.isPending}
      isSaved={isSaved}
      fault={saidOfNone(change.error, ["title", "text"])}
      onSubmit={() => void submit()}
    >
      <label className="check">
        <input type="checkbox" {...form.register("coversSite")} />
        整个网站先确认年龄
      </label>
      <Field
        label="标题"
        hint={`不写就是“${gate.default_title}”`}
        fault={errors.title?.message ?? saidOf(change.error, "title")}
      >
        {(given) => <input {...given} autoComplete="off" {...form.register("title")} />}
      </Field>
      <Field
        label="说明"
        hint={`不写就是“${gate.default_text}”`}
        fault={errors.text?.message ?? saidOf(change.error, "text")}
      >
        {(given) => <textarea {...given} rows={3} {...form.register("text")} />}
      </Field>
    </SettingForm>
  );
}
