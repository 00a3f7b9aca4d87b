import { useState } from "react";
import { AdDialog } from "@/features/content/ads/ad-dialog.tsx";
import { adRows } from "@/features/content/ads/ad-rows.ts";
import { ContentPage } from "@/features/content/content-page.tsx";
import { useContent, useContentChange, useMayEdit } from "@/features/content/use-content.ts";
import { TagDialog } from "@/screens/banners/tag-dialog.tsx";
import type { Ad, Ads, BannerTag } from "@/shared/api/types.ts";
import { RecordList } from "@/shared/ui/records.tsx";
import { Empty, Loaded } from "@/shared/ui/state.tsx";

type Opened =
  | { readonly kind: "banner"; readonly ad: Ad | null; readonly tag: string }
  | { readonly kind: "tag"; readonly tag: BannerTag | null };

/** The carousel at the top of home: its chips, and the banners of each. */
export function BannersScreen() {
  const ads = useContent<Ads>("ads");
  const order = useContentChange();
  const mayEdit = useMayEdit();
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => {
    setOpened(null);
  };
  const banners = ads.data?.ads.filter(({ slot }) => slot === "BANNER") ?? [];
  const tags = ads.data?.tags ?? [];
  return (
    <ContentPage
      title="轮播图"
      lead="首页顶部的大图，按标签分组。结束的不再显示，可以改时间恢复。"
      {...(tags.length > 0 ? { add: "新建轮播图" } : {})}
      onAdd={() => {
        setOpened({ kind: "banner", ad: null, tag: tags[0]?.name ?? "" });
      }}
      fault={order.error?.message}
    >
      <Loaded query={ads}>
        {(data) => (
          <>
            {tags.length === 0 ? (
              <Empty>还没有标签。轮播图要属于一个标签，请先新建标签</Empty>
            ) : null}
            {tags.map((tag) => (
              <section key={tag.id} className="card" aria-label={`标签 ${tag.name}`}>
                <div className="card-head">
                  <h2 className="card-title">{tag.name}</h2>
                </div>
                {banners.some((ad) => ad.tag === tag.name) ? (
                  <RecordList
                    label={`${tag.name}的轮播图`}
                    rows={adRows(banners.filter((ad) => ad.tag === tag.name))}
                    isBusy={order.isPending}
                    onOpen={(key) => {
                      const ad = banners.find(({ id }) => String(id) === key) ?? null;
                      setOpened({ kind: "banner", ad, tag: tag.name });
                    }}
                    onOrder={
                      mayEdit
                        ? (keys) => {
                            order.mutate({
                              method: "POST",
                              path: "ads/order",
                              body: { slot: "BANNER", tag: tag.name, ids: keys.map(Number) },
                            });
                          }
                        : undefined
                    }
                  />
                ) : (
                  <p className="row-meta">这个标签还没有轮播图，所以网站上看不到它。</p>
                )}
              </section>
            ))}
            <section className="card" aria-label="标签">
              <div className="card-head">
                <h2 className="card-title">标签</h2>
                {mayEdit ? (
                  <button
                    type="button"
                    className="button button-small"
                    onClick={() => {
                      setOpened({ kind: "tag", tag: null });
                    }}
                  >
                    新建标签
                  </button>
                ) : null}
              </div>
              <RecordList
                label="标签的次序"
                rows={tags.map(({ id, name }) => ({ key: String(id), title: name }))}
                isBusy={order.isPending}
                onOpen={
                  mayEdit
                    ? (key) => {
                        const tag = tags.find(({ id }) => String(id) === key) ?? null;
                        setOpened({ kind: "tag", tag });
                      }
                    : undefined
                }
                onOrder={
                  mayEdit
                    ? (keys) => {
                        order.mutate({
                          method: "POST",
                          path: "banner-tags/order",
                          body: { ids: keys.map(Number) },
                        });
                      }
                    : undefined
                }
              />
            </section>
            {opened?.kind === "banner" ? (
              <AdDialog ads={data} ad={opened.ad} slot="BANNER" tag={opened.tag} onClose={close} />
            ) : null}
            {opened?.kind === "tag" ? <TagDialog tag={opened.tag} onClose={close} /> : null}
          </>
        )}
      </Loaded>
    </ContentPage>
  );
}
