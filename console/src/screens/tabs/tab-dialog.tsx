import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { ICON_NAMES } from "@/features/content/choices.ts";
import {
  saidOf,
  saidOfNone,
  useContentChange,
  useMayEdit,
} from "@/features/content/use-content.ts";
import type { TabItem } from "@/shared/api/types.ts";
import { EditorDialog } from "@/shared/ui/editor-dialog.tsx";
import { Field } from "@/shared/ui/field.tsx";

const FORM = z
  .object({
    name: z.string().check(z.trim(), z.minLength(1, "请写名称"), z.maxLength(8, "最多 8 个字")),
    icon: z.string(),
    url: z.string().check(z.trim()),
    isHidden: z.boolean(),
    isScreen: z.boolean(),
  })
  .check(
    z.refine(({ url, isScreen }) => isScreen || /^https?:\/\//.test(url), {
      message: "请写 https:// 开头的完整网址",
      path: ["url"],
    }),
  );

/** An entry: one of the site's own, or one that leads out of it. */
export function TabDialog({
  tab,
  icons,
  onClose,
}: {
  readonly tab: TabItem | null;
  readonly icons: readonly string[];
  readonly onClose: () => void;
}) {
  const mayEdit = useMayEdit();
  const change = useContentChange(onClose);
  const form = useForm<z.infer<typeof FORM>>({
    resolver: zodResolver(FORM),
    defaultValues: {
      name: tab?.name ?? "",
      icon: tab?.icon ?? icons[0] ?? "",
      url: tab?.url ?? "",
      isHidden: tab?.is_hidden ?? false,
      isScreen: tab?.is_screen ?? false,
    },
  });
  const { errors } = form.formState;
  const submit = form.handleSubmit(({ name, icon, url, isHidden }) => {
    const body = { name, icon, url, is_hidden: isHidden, revision: tab?.revision ?? "" };
    const path = tab ? `tabs/${tab.key}` : "tabs";
    change.mutate({ method: tab ? "PUT" : "POST", path, body });
  });
  return (
    <EditorDialog
      title={tab ? "修改入口" : "新建入口"}
      onClose={onClose}
      onSubmit={() => void submit()}
      isBusy={change.isPending}
      fault={saidOfNone(change.error, ["name", "icon", "url"])}
      mayEdit={mayEdit}
      actions={
        tab && !tab.is_screen
          ? [
              {
                name: "删除",
                question: `入口“${tab.name}”将被删除，不能恢复。`,
                run: () => {
                  change.mutate({ method: "DELETE", path: `tabs/${tab.key}` });
                },
              },
            ]
          : []
      }
    >
      <Field label="名称" fault={errors.name?.message ?? saidOf(change.error, "name")}>
        {(given) => <input {...given} autoComplete="off" {...form.register("name")} />}
      </Field>
      <Field label="图标" fault={saidOf(change.error, "icon")}>
        {(given) => (
          <select {...given} {...form.register("icon")}>
            {icons.map((icon) => (
              <option key={icon} value={icon}>
                {ICON_NAMES[icon] ?? icon}
              </option>
            ))}
          </select>
        )}
      </Field>
      {tab?.is_screen ? (
        <p className="row-meta">打开网站自己的页面 {tab.url}，不能改。</p>
      ) : (
        <Field label="打开的网址" fault={errors.url?.message ?? saidOf(change.error, "url")}>
          {(given) => (
            <input {...given} inputMode="url" autoComplete="off" {...form.register("url")} />
          )}
        </Field>
      )}
      {tab?.is_lasting || !tab ? null : (
        <label className="check">
          <input type="checkbox" {...form.register("isHidden")} />
          隐藏：页面的地址仍然可用
        </label>
      )}
    </EditorDialog>
  );
}
