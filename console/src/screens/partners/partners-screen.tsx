import { useState } from "react";
import { ContentPage } from "@/features/content/content-page.tsx";
import { useContent } from "@/features/content/use-content.ts";
import { PartnerDialog } from "@/screens/partners/partner-dialog.tsx";
import { PartnerForm } from "@/screens/partners/partner-form.tsx";
import type { Partner } from "@/shared/api/types.ts";
import { RecordList } from "@/shared/ui/records.tsx";
import { Empty, Loaded } from "@/shared/ui/state.tsx";
import { activeTone } from "@/shared/ui/tones.ts";

/** Partners, who may show the site inside their pages and vouch for visitors. */
export function PartnersScreen() {
  const partners = useContent<Partner[]>("partners");
  const [opened, setOpened] = useState<Partner | "new" | null>(null);
  const close = () => {
    setOpened(null);
  };
  return (
    <ContentPage
      title="合作方"
      lead="可以把本站放进自己网页里，并为访客签发登录凭证的网站。只有站长能看到这一页。"
      add="新建合作方"
      onAdd={() => {
        setOpened("new");
      }}
    >
      <Loaded query={partners}>
        {(data) =>
          data.length === 0 ? (
            <Empty>还没有合作方</Empty>
          ) : (
            <section className="card" aria-label="合作方">
              <RecordList
                label="合作方列表"
                rows={data.map(({ id, name, origin, is_active }) => ({
                  key: id,
                  title: name,
                  meta: [id, origin],
                  badge: is_active ? "启用" : "停用",
                  tone: activeTone(is_active),
                }))}
                onOpen={(key) => {
                  setOpened(data.find(({ id }) => id === key) ?? null);
                }}
              />
            </section>
          )
        }
      </Loaded>
      {opened === "new" ? <PartnerForm partner={null} onClose={close} /> : null}
      {opened && opened !== "new" ? <PartnerDialog partner={opened} onClose={close} /> : null}
    </ContentPage>
  );
}
