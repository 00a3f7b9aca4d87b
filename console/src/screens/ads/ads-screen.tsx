import { IconExternalLink } from "@tabler/icons-react";
import { useState } from "react";
import { AdDialog, slotName } from "@/features/content/ads/ad-dialog.tsx";
import { adRows } from "@/features/content/ads/ad-rows.ts";
import { ContentPage } from "@/features/content/content-page.tsx";
import { useContent, useContentChange, useMayEdit } from "@/features/content/use-content.ts";
import type { Ad, Ads, Slot } from "@/shared/api/types.ts";
import { RecordList } from "@/shared/ui/records.tsx";
import { Loaded } from "@/shared/ui/state.tsx";

type Opened = { readonly ad: Ad | null; readonly slot: string } | null;

/** Advertisements by place. */
export function AdsScreen() {
  const ads = useContent<Ads>("ads");
  const order = useContentChange();
  const mayEdit = useMayEdit();
  const [opened, setOpened] = useState<Opened>(null);
  return (
    <ContentPage
      title="广告"
      lead="按位置列出，过期和未开始的也在内。点一条可以修改、结束或删除。"
      add="新建广告"
      onAdd={() => {
        setOpened({ ad: null, slot: "LIST" });
      }}
      fault={order.error?.message}
    >
      <Loaded query={ads}>
        {(data) => (
          <div className="cards cards-wide">
            {data.slots
              .filter(({ slot }) => slot !== "BANNER")
              .map((slot) => (
                <SlotCard
                  key={slot.slot}
                  slot={slot}
                  ads={data.ads.filter((ad) => ad.slot === slot.slot)}
                  site={data.site}
                  isBusy={order.isPending}
                  onOpen={(ad) => {
                    setOpened({ ad, slot: slot.slot });
                  }}
                  onOrder={
                    mayEdit
                      ? (ids) => {
                          order.mutate({
                            method: "POST",
                            path: "ads/order",
                            body: { slot: slot.slot, ids },
                          });
                        }
                      : undefined
                  }
                />
              ))}
            {opened ? (
              <AdDialog
                ads={data}
                ad={opened.ad}
                slot={opened.slot}
                onClose={() => {
                  setOpened(null);
                }}
              />
            ) : null}
          </div>
        )}
      </Loaded>
    </ContentPage>
  );
}

function SlotCard({
  slot,
  ads,
  site,
  isBusy,
  onOpen,
  onOrder,
}: {
  readonly slot: Slot;
  readonly ads: readonly Ad[];
  readonly site: string;
  readonly isBusy: boolean;
  readonly onOpen: (ad: Ad) => void;
  readonly onOrder: ((ids: number[]) => void) | undefined;
}) {
  const id = `slot-${slot.slot}`;
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id} className="card-title">
          {slotName(slot.slot)}
        </h2>
        {site ? (
          <a
            className="button button-small"
            href={`${site}${slot.screen}`}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={`查看${slotName(slot.slot)}在网站上的样子`}
          >
            <IconExternalLink size={18} stroke={1.75} aria-hidden="true" />
            查看
          </a>
        ) : null}
      </div>
      <p className="row-meta">
        {slot.place}（{slot.width}×{slot.height}）
      </p>
      {ads.length > 0 ? (
        <RecordList
          label={`${slotName(slot.slot)}的广告`}
          rows={adRows(ads)}
          isBusy={isBusy}
          onOpen={(key) => {
            const found = ads.find((ad) => String(ad.id) === key);
            if (found) onOpen(found);
          }}
          onOrder={onOrder ? (keys) => onOrder(keys.map(Number)) : undefined}
        />
      ) : (
        <p className="row-meta">这里还没有广告。</p>
      )}
    </section>
  );
}
