import { useForm, useWatch } from "react-hook-form";
import { SettingForm } from "@/features/content/setting-form.tsx";
import { useContentChange } from "@/features/content/use-content.ts";
import type { RemovalPage } from "@/shared/api/types.ts";

interface Values {
  isShown: boolean;
  showsTitles: boolean;
}

interface Props {
  readonly page: RemovalPage;
  /** The last change was saved; another state of the row is another form. */
  readonly isSaved: boolean;
  readonly onSaved: () => void;
}

/** Whether the page is public, and whether it names titles. */
export function RemovalPageForm({ page, isSaved, onSaved }: Props) {
  const change = useContentChange(onSaved);
  const form = useForm<Values>({
    defaultValues: { isShown: page.is_shown, showsTitles: page.shows_titles },
  });
  const isOpen = useWatch({ control: form.control, name: "isShown" });
  const submit = form.handleSubmit(({ isShown, showsTitles }) => {
    const body = { is_shown: isShown, shows_titles: showsTitles, revision: page.revision };
    change.mutate({ method: "PUT", path: "removals", body });
  });
  return (
    <SettingForm
      title="公开"
      isBusy={change.isPending}
      isSaved={isSaved}
      fault={change.error?.message}
      onSubmit={() => void submit()}
    >
      <label className="check">
        <input type="checkbox" {...form.register("isShown")} />
        公开这一页，“我的”页面上有链接
      </label>
      <label className="check">
        <input type="checkbox" disabled={!isOpen} {...form.register("showsTitles")} />
        连视频的标题一起公开
      </label>
      <p className="row-meta">网址是网站地址后面加 /removals。以前下架的也会列出。</p>
    </SettingForm>
  );
}
