import { zodResolver } from "@hookform/resolvers/zod";
import { Controller, useForm, useWatch } from "react-hook-form";
import { AD_FORM, type AdForm, bodyOf, valuesOf } from "@/features/content/ads/ad-form.ts";
import { TargetField } from "@/features/content/ads/target-field.tsx";
import { SLOT_NAMES } from "@/features/content/choices.ts";
import {
  saidOf,
  saidOfNone,
  useContentChange,
  useMayEdit,
} from "@/features/content/use-content.ts";
import { WindowFields } from "@/features/content/window-fields.tsx";
import type { Ad, Ads } from "@/shared/api/types.ts";
import { EditorDialog } from "@/shared/ui/editor-dialog.tsx";
import { Field } from "@/shared/ui/field.tsx";
import { PictureField } from "@/shared/ui/picture-field.tsx";

const FIELDS = ["slot", "tag", "title", "text", "url", "weight", "starts_at", "ends_at", "image"];
const BANNER = "BANNER";

interface AdDialogProps {
  readonly ads: Ads;
  /** None for a new one. */
  readonly ad: Ad | null;
  /** Where a new one is shown: a place, or the carousel with a chip. */
  readonly slot: string;
  readonly tag?: string;
  readonly onClose: () => void;
}

/** An advertisement or a banner: seen as visitors see it while it is written. */
export function AdDialog({ ads, ad, slot, tag = "", onClose }: AdDialogProps) {
  const mayEdit = useMayEdit();
  const change = useContentChange(onClose);
  const form = useForm<AdForm>({
    resolver: zodResolver(AD_FORM),
    defaultValues: valuesOf(ad, slot, tag),
  });
  const { errors } = form.formState;
  const isBanner = slot === BANNER;
  const [chosen, title] = useWatch({ control: form.control, name: ["slot", "title"] });
  const place = ads.slots.find((one) => one.slot === chosen);
  const word = isBanner ? "轮播图" : "广告";
  const said = (field: string) => saidOf(change.error, field);
  const submit = form.handleSubmit(async (given) => {
    const path = ad ? `ads/${ad.id}` : "ads";
    change.mutate({ method: ad ? "PUT" : "POST", path, body: await bodyOf(given, ad) });
  });
  return (
    <EditorDialog
      title={ad ? `修改${word}` : `新建${word}`}
      onClose={onClose}
      onSubmit={() => void submit()}
      isBusy={change.isPending}
      fault={saidOfNone(change.error, FIELDS)}
      mayEdit={mayEdit}
      actions={
        ad
          ? [
              ...(ad.state === "running"
                ? [
                    {
                      name: "结束",
                      question: `“${ad.title}”将马上不再显示，之后可以改结束时间恢复。`,
                      run: () => {
                        change.mutate({ method: "POST", path: `ads/${ad.id}/end` });
                      },
                    },
                  ]
                : []),
              {
                name: "删除",
                question: `“${ad.title}”和它的统计将被删除，不能恢复。`,
                run: () => {
                  change.mutate({ method: "DELETE", path: `ads/${ad.id}` });
                },
              },
            ]
          : []
      }
    >
      {isBanner ? (
        <Field label="标签" fault={errors.tag?.message ?? said("tag")}>
          {(given) => (
            <select {...given} {...form.register("tag")}>
              <option value="">请选择</option>
              {ads.tags.map(({ id, name }) => (
                <option key={id} value={name}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      ) : (
        <Field label="位置" hint={place?.place} fault={said("slot")}>
          {(given) => (
            <select {...given} {...form.register("slot")}>
              {ads.slots
                .filter((one) => one.slot !== BANNER)
                .map((one) => (
                  <option key={one.slot} value={one.slot}>
                    {slotName(one.slot)}
                  </option>
                ))}
            </select>
          )}
        </Field>
      )}
      <Controller
        control={form.control}
        name="image"
        render={({ field }) => (
          <PictureField
            label="图片"
            hint={`${place?.width}×${place?.height} 最清楚，更大会缩小；JPEG、PNG、WebP、GIF，最大 8 MB`}
            stored={ad?.picture?.url ?? null}
            file={field.value}
            onChoose={field.onChange}
            ratio={place ? place.width / place.height : 2.3}
            caption={isBanner ? title : `广告　${title}`}
            fault={errors.image?.message ?? said("image")}
          />
        )}
      />
      <Field label="标题" fault={errors.title?.message ?? said("title")}>
        {(given) => <input {...given} autoComplete="off" {...form.register("title")} />}
      </Field>
      <Field label="说明（可以不写）" fault={errors.text?.message ?? said("text")}>
        {(given) => <input {...given} autoComplete="off" {...form.register("text")} />}
      </Field>
      <Controller
        control={form.control}
        name="url"
        render={({ field }) => (
          <TargetField
            value={field.value}
            onChange={field.onChange}
            fault={errors.url?.message ?? said("url")}
          />
        )}
      />
      <WindowFields
        starts={form.register("starts")}
        ends={form.register("ends")}
        startFault={said("starts_at")}
        endFault={errors.ends?.message ?? said("ends_at")}
      />
      <Field
        label="权重"
        hint="次序相同时排在最前的机会，1 到 1000"
        fault={errors.weight?.message ?? said("weight")}
      >
        {(given) => (
          <input
            {...given}
            type="number"
            min={1}
            max={1000}
            {...form.register("weight", { valueAsNumber: true })}
          />
        )}
      </Field>
    </EditorDialog>
  );
}

/** What a place is called, in a word. */
export function slotName(slot: string): string {
  return SLOT_NAMES[slot] ?? slot;
}
