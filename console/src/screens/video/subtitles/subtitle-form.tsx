import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { Controller, useForm, useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { LANGUAGES, languageOf, OTHER } from "@/screens/video/subtitles/languages.ts";
import { base64Of } from "@/shared/api/base64.ts";
import { CallError, call } from "@/shared/api/call.ts";
import type { SubtitleTrack } from "@/shared/api/types.ts";
import { Field } from "@/shared/ui/field.tsx";
import { FileChoice } from "@/shared/ui/file-choice.tsx";

const LARGEST = 4 * 1024 * 1024;
const FORM = z
  .object({
    file: z.instanceof(File, { message: "请选择字幕文件" }).check(
      z.refine(({ size }) => size > 0, "文件是空的"),
      z.refine(({ size }) => size <= LARGEST, "字幕文件最大 4 MB"),
    ),
    language: z.string(),
    other: z.string().check(z.trim(), z.maxLength(24, "最多 24 个字符")),
  })
  .check(
    z.refine(({ language, other }) => language !== OTHER || other !== "", {
      message: "请写语言代码，例如 fr",
      path: ["other"],
    }),
  );

type Given = z.input<typeof FORM>;

interface SubtitleFormProps {
  readonly id: number;
  readonly known: readonly SubtitleTrack[];
  readonly onDone: (tracks: SubtitleTrack[]) => Promise<void>;
}

/** Adds subtitles in a language, or replaces those that are there. */
export function SubtitleForm({ id, known, onDone }: SubtitleFormProps) {
  const form = useForm<Given, unknown, z.output<typeof FORM>>({
    resolver: zodResolver(FORM),
    defaultValues: { language: "zh-Hans", other: "" },
  });
  const giving = useMutation({
    mutationFn: async ({ file, language, other }: z.output<typeof FORM>) =>
      call<SubtitleTrack[]>(`/api/videos/${id}/subtitles`, {
        method: "PUT",
        body: { language: language === OTHER ? other : language, content: await base64Of(file) },
      }),
    onSuccess: async (tracks) => {
      form.resetField("file");
      await onDone(tracks);
    },
  });
  const { errors } = form.formState;
  const [language, file] = useWatch({ control: form.control, name: ["language", "file"] });
  const said = (field: string) =>
    giving.error instanceof CallError && giving.error.field === field
      ? giving.error.message
      : undefined;
  const isKnown = known.some(({ lang }) => lang === language);
  const rest = said("content") || said("language") ? undefined : giving.error?.message;
  return (
    <form
      className="subtitle-form"
      noValidate
      onSubmit={(event) => {
        void form.handleSubmit((given) => {
          giving.mutate(given);
        })(event);
      }}
    >
      <Controller
        control={form.control}
        name="file"
        render={({ field }) => (
          <FileChoice
            label="字幕文件"
            hint="SRT、WebVTT（.vtt）、ASS、SSA，最大 4 MB"
            accept=".srt,.vtt,.ass,.ssa"
            file={file ?? null}
            fault={errors.file?.message ?? said("content")}
            onChoose={(chosen) => {
              giving.reset();
              field.onChange(chosen ?? undefined);
              const named = chosen ? languageOf(chosen.name) : null;
              if (named) form.setValue("language", named);
            }}
          />
        )}
      />
      <Field label="语言" fault={language === OTHER ? undefined : said("language")}>
        {(given) => (
          <select {...given} {...form.register("language")}>
            {LANGUAGES.map(({ value, name }) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
            <option value={OTHER}>其他语言…</option>
          </select>
        )}
      </Field>
      {language === OTHER ? (
        <Field label="语言代码，例如 fr、de、th" fault={errors.other?.message ?? said("language")}>
          {(given) => <input {...given} autoComplete="off" {...form.register("other")} />}
        </Field>
      ) : null}
      <div className="form-end">
        {rest ? (
          <p className="field-fault" role="alert">
            {rest}
          </p>
        ) : (
          <p className="row-meta" role="status">
            {giving.isSuccess && !file ? "已保存" : ""}
          </p>
        )}
        <button
          type="submit"
          className="button button-small button-primary"
          disabled={giving.isPending}
        >
          {giving.isPending ? "正在上传…" : isKnown ? "替换字幕" : "添加字幕"}
        </button>
      </div>
    </form>
  );
}
