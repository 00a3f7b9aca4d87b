import { useState } from "react";
import { LINK_KINDS } from "@/features/content/choices.ts";
import { ContentPage } from "@/features/content/content-page.tsx";
import { useContent, useContentChange, useMayEdit } from "@/features/content/use-content.ts";
import { LinkDialog } from "@/screens/links/link-dialog.tsx";
import type { LinkItem } from "@/shared/api/types.ts";
import { RecordList } from "@/shared/ui/records.tsx";
import { Loaded } from "@/shared/ui/state.tsx";

/** The links of the page /mine, by kind. */
export function LinksScreen() {
  const links = useContent<LinkItem[]>("links");
  const order = useContentChange();
  const mayEdit = useMayEdit();
  const [opened, setOpened] = useState<LinkItem | "new" | null>(null);
  return (
    <ContentPage
      title="友情链接"
      lead="显示在网站“我的”页面，按种类分组。"
      add="新建链接"
      onAdd={() => {
        setOpened("new");
      }}
      fault={order.error?.message}
    >
      <Loaded query={links}>
        {(data) => (
          <div className="cards cards-wide">
            {Object.entries(LINK_KINDS).map(([kind, name]) => {
              const rows = data.filter((one) => one.kind === kind);
              return (
                <section key={kind} className="card" aria-label={name}>
                  <h2 className="card-title">{name}</h2>
                  {rows.length === 0 ? (
                    <p className="row-meta">还没有。</p>
                  ) : (
                    <RecordList
                      label={`${name}的次序`}
                      rows={rows.map((one) => ({
                        key: String(one.id),
                        title: one.title,
                        meta: [one.text, one.url],
                        picture: one.picture?.url ?? null,
                      }))}
                      isBusy={order.isPending}
                      onOpen={(key) => {
                        setOpened(rows.find(({ id }) => String(id) === key) ?? null);
                      }}
                      onOrder={
                        mayEdit
                          ? (keys) => {
                              order.mutate({
                                method: "POST",
                                path: "links/order",
                                body: { kind, ids: keys.map(Number) },
                              });
                            }
                          : undefined
                      }
                    />
                  )}
                </section>
              );
            })}
          </div>
        )}
      </Loaded>
      {opened ? (
        <LinkDialog
          link={opened === "new" ? null : opened}
          onClose={() => {
            setOpened(null);
          }}
        />
      ) : null}
    </ContentPage>
  );
}
