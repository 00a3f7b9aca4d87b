import "@/screens/site/site.css";
import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { Controller, type UseFormReturn, useForm, useWatch } from "react-hook-form";
import { saidOf, saidOfNone, useContentChange } from "@/features/content/use-content.ts";
import {
  COLOURS,
  FIELDS,
  FORM,
  type Form,
  NAMES,
  SENTENCES,
  type TextName,
} from "@/screens/site/site-form.ts";
import { SitePreview } from "@/screens/site/site-preview.tsx";
import { base64Of } from "@/shared/api/base64.ts";
import type { SiteState } from "@/shared/api/types.ts";
import { Field } from "@/shared/ui/field.tsx";
import { PictureField } from "@/shared/ui/picture-field.tsx";

function formOf({ texts }: SiteState): Form {
  return { texts, logo: null, removesLogo: false, icon: null, removesIcon: false };
}

/** The form. What was typed stays although somebody else saves; the server tells the second. */
export function SiteEditor({ opened }: { readonly opened: SiteState }) {
  const [state, setState] = useState(opened);
  const form = useForm<Form>({ resolver: zodResolver(FORM), defaultValues: formOf(opened) });
  const change = useContentChange<SiteState>((answer) => {
    setState(answer);
    form.reset(formOf(answer));
  });
  const { errors, isDirty } = form.formState;
  const given = useWatch({ control: form.control });
  const faultOf = (name: TextName) => errors.texts?.[name]?.message ?? saidOf(change.error, name);
  const submit = form.handleSubmit(async ({ texts, logo, removesLogo, icon, removesIcon }) => {
    const body = {
      texts,
      logo: logo ? await base64Of(logo) : null,
      removes_logo: removesLogo,
      icon: icon ? await base64Of(icon) : null,
      removes_icon: removesIcon,
      revision: state.revision,
    };
    change.mutate({ method: "PUT", path: "site", body });
  });
  const fault = saidOfNone(change.error, FIELDS);
  const stored = {
    logo: given.removesLogo ? null : state.logo || null,
    icon: given.removesIcon ? null : state.icon || null,
  };
  return (
    <form
      className="site-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <section className="card" aria-labelledby="site-names">
        <h2 id="site-names" className="card-title">
          名称
        </h2>
        {NAMES.map(({ name, label, hint }) => (
          <Field key={name} label={label} hint={hint} fault={faultOf(name)}>
            {(tied) => (
              <input
                {...tied}
                type={name === "url" ? "url" : "text"}
                autoComplete="off"
                {...form.register(`texts.${name}`)}
              />
            )}
          </Field>
        ))}
      </section>
      <section className="card" aria-labelledby="site-pictures">
        <h2 id="site-pictures" className="card-title">
          图片和颜色
        </h2>
        <div className="site-icon-field">
          <SitePicture
            name="icon"
            label="图标"
            hint="方的图片，至少 192 × 192 像素；JPEG、PNG、WebP，最大 8 MB"
            ratio={1}
            stored={stored.icon}
            form={form}
            fault={saidOf(change.error, "icon")}
          />
        </div>
        <SitePicture
          name="logo"
          label="标志"
          hint="横的图片，代替站名的字样，最大 640 × 160 像素；透明的 PNG 最好"
          ratio={4}
          stored={stored.logo}
          form={form}
          fault={saidOf(change.error, "logo")}
        />
        <div className="site-colours">
          {COLOURS.map(({ name, label, hint }) => (
            <Field key={name} label={label} hint={hint} fault={faultOf(name)}>
              {(tied) => <input {...tied} type="color" {...form.register(`texts.${name}`)} />}
            </Field>
          ))}
        </div>
      </section>
      <section className="card" aria-labelledby="site-sentences">
        <h2 id="site-sentences" className="card-title">
          文案
        </h2>
        {SENTENCES.map(({ name, label, hint }) => (
          <Field key={name} label={label} hint={hint} fault={faultOf(name)}>
            {(tied) => <textarea {...tied} rows={2} {...form.register(`texts.${name}`)} />}
          </Field>
        ))}
      </section>
      <SitePreview texts={given.texts ?? {}} icon={given.icon} logo={given.logo} stored={stored} />
      <div className="site-save save-bar">
        {fault ? (
          <p className="field-fault" role="alert">
            {fault}
          </p>
        ) : null}
        <p className="row-meta" role="status">
          {change.isSuccess && !isDirty ? "已保存。" : ""}
        </p>
        <button
          type="button"
          className="button"
          disabled={change.isPending}
          onClick={() => {
            form.setValue("texts", state.defaults, { shouldDirty: true });
            form.setValue("logo", null);
            form.setValue("icon", null);
            form.setValue("removesLogo", true, { shouldDirty: true });
            form.setValue("removesIcon", true, { shouldDirty: true });
          }}
        >
          填入默认值
        </button>
        <button type="submit" className="button button-primary" disabled={change.isPending}>
          {change.isPending ? "正在保存…" : "保存"}
        </button>
      </div>
    </form>
  );
}

const REMOVES = { icon: "removesIcon", logo: "removesLogo" } as const;

/** A picture of the site, which may be chosen or taken away. */
function SitePicture({
  name,
  label,
  hint,
  ratio,
  stored,
  form,
  fault,
}: {
  readonly name: "icon" | "logo";
  readonly label: string;
  readonly hint: string;
  readonly ratio: number;
  readonly stored: string | null;
  readonly form: UseFormReturn<Form>;
  readonly fault: string | undefined;
}) {
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field, fieldState }) => (
        <PictureField
          label={label}
          hint={hint}
          stored={stored}
          file={field.value}
          onChoose={field.onChange}
          onRemove={() => {
            form.setValue(REMOVES[name], true, { shouldDirty: true });
          }}
          ratio={ratio}
          fault={fieldState.error?.message ?? fault}
        />
      )}
    />
  );
}
