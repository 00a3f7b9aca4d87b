import { useState } from "react";
import { ContentPage } from "@/features/content/content-page.tsx";
import { useContent, useContentChange, useMayEdit } from "@/features/content/use-content.ts";
import { TabDialog } from "@/screens/tabs/tab-dialog.tsx";
import type { TabItem, Tabs } from "@/shared/api/types.ts";
import { RecordList } from "@/shared/ui/records.tsx";
import { Loaded } from "@/shared/ui/state.tsx";

/** The entries of the bar at the foot of the site's screens. */
export function TabsScreen() {
  const tabs = useContent<Tabs>("tabs");
  const order = useContentChange();
  const mayEdit = useMayEdit();
  const [opened, setOpened] = useState<TabItem | "new" | null>(null);
  return (
    <ContentPage
      title="底部入口"
      lead={`手机底部（电脑上在左边）的入口，最多显示 ${tabs.data?.most ?? 6} 个。`}
      add="新建入口"
      onAdd={() => {
        setOpened("new");
      }}
      fault={order.error?.message}
    >
      <Loaded query={tabs}>
        {(data) => (
          <>
            <section className="card" aria-label="入口">
              <RecordList
                label="入口的次序"
                rows={data.tabs.map((one) => ({
                  key: one.key,
                  title: one.name,
                  meta: [one.url],
                  badge: one.is_hidden ? "已隐藏" : undefined,
                }))}
                isBusy={order.isPending}
                onOpen={(key) => {
                  setOpened(data.tabs.find((one) => one.key === key) ?? null);
                }}
                onOrder={
                  mayEdit
                    ? (keys) => {
                        order.mutate({ method: "POST", path: "tabs/order", body: { keys } });
                      }
                    : undefined
                }
              />
            </section>
            {opened ? (
              <TabDialog
                tab={opened === "new" ? null : opened}
                icons={data.icons}
                onClose={() => {
                  setOpened(null);
                }}
              />
            ) : null}
          </>
        )}
      </Loaded>
    </ContentPage>
  );
}
