import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { saidOf, saidOfNone, useContentChange } from "@/features/content/use-content.ts";
import { KeyNote } from "@/screens/partners/key-note.tsx";
import type { Partner, PartnerKey } from "@/shared/api/types.ts";
import { Dialog } from "@/shared/ui/dialog.tsx";
import { EditorDialog } from "@/shared/ui/editor-dialog.tsx";
import { Field } from "@/shared/ui/field.tsx";

const LINK = z
  .string()
  .check(
    z.trim(),
    z.regex(/^(https?:\/\/\S+)?$/, "请写 https:// 开头的网址，或留空"),
    z.maxLength(500, "太长"),
  );
const FORM = z.object({
  id: z
    .string()
    .check(z.trim(), z.regex(/^[a-z0-9][a-z0-9-]{1,31}$/, "2 到 32 个小写字母、数字或连字符")),
  name: z.string().check(z.trim(), z.minLength(1, "请写名称"), z.maxLength(80, "最多 80 个字")),
  origin: z.string().check(z.trim(), z.minLength(1, "请写来源")),
  promo_url: LINK,
  ad: LINK,
  activity: LINK,
  ws_url: z
    .string()
    .check(
      z.trim(),
      z.regex(/^(wss?:\/\/\S+)?$/, "请写 wss:// 开头的地址，或留空"),
      z.maxLength(500, "太长"),
    ),
});
const PERKS = [
  ["promo_url", "推广地址 promoUrl"],
  ["ad", "广告地址 ad"],
  ["activity", "活动地址 activity"],
  ["ws_url", "WebSocket 地址 wsUrl"],
] as const;

/** A partner's values. The key of a new one is shown once. */
export function PartnerForm({
  partner,
  onClose,
}: {
  readonly partner: Partner | null;
  readonly onClose: () => void;
}) {
  const [made, setMade] = useState<PartnerKey | null>(null);
  const add = useContentChange<PartnerKey>(setMade);
  const edit = useContentChange(onClose);
  const error = add.error ?? edit.error;
  const form = useForm<z.infer<typeof FORM>>({
    resolver: zodResolver(FORM),
    defaultValues: {
      id: partner?.id ?? "",
      name: partner?.name ?? "",
      origin: partner?.origin ?? "",
      promo_url: partner?.perks.promo_url ?? "",
      ad: partner?.perks.ad ?? "",
      activity: partner?.perks.activity ?? "",
      ws_url: partner?.perks.ws_url ?? "",
    },
  });
  const { errors } = form.formState;
  const submit = form.handleSubmit(({ id, name, origin, ...perks }) => {
    if (partner) {
      const body = { name, origin, perks, revision: partner.revision };
      edit.mutate({ method: "PUT", path: `partners/${partner.id}`, body });
    } else add.mutate({ method: "POST", path: "partners", body: { id, name, origin, perks } });
  });
  if (made)
    return (
      <Dialog title={`已新建 ${made.partner.name}`} onClose={onClose}>
        <KeyNote value={made.key} />
        <div className="dialog-actions">
          <button type="button" className="button button-small button-primary" onClick={onClose}>
            已经保存好了
          </button>
        </div>
      </Dialog>
    );
  return (
    <EditorDialog
      title={partner ? "修改合作方" : "新建合作方"}
      onClose={onClose}
      onSubmit={() => void submit()}
      isBusy={add.isPending || edit.isPending}
      fault={saidOfNone(error, ["id", "name", "origin"])}
      mayEdit
    >
      {partner ? (
        <p className="row-meta">编号 {partner.id}，不能改。密钥和已登录的访客不受影响。</p>
      ) : (
        <Field
          label="编号"
          hint="凭证里的 iss 和 kid，之后不能改"
          fault={errors.id?.message ?? saidOf(error, "id")}
        >
          {(given) => (
            <input {...given} autoComplete="off" autoCapitalize="none" {...form.register("id")} />
          )}
        </Field>
      )}
      <Field label="名称" fault={errors.name?.message ?? saidOf(error, "name")}>
        {(given) => <input {...given} autoComplete="off" {...form.register("name")} />}
      </Field>
      <Field
        label="来源"
        hint="可以内嵌本站的网站，https://域名"
        fault={errors.origin?.message ?? saidOf(error, "origin")}
      >
        {(given) => (
          <input {...given} inputMode="url" autoComplete="off" {...form.register("origin")} />
        )}
      </Field>
      {PERKS.map(([name, label]) => (
        <Field key={name} label={`${label}（可以不写）`} fault={errors[name]?.message}>
          {(given) => (
            <input {...given} inputMode="url" autoComplete="off" {...form.register(name)} />
          )}
        </Field>
      ))}
    </EditorDialog>
  );
}
