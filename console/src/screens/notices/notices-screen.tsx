import { useState } from "react";
import { ContentPage } from "@/features/content/content-page.tsx";
import { useContent } from "@/features/content/use-content.ts";
import { windowName, windowText } from "@/features/content/windows.ts";
import { NoticeDialog } from "@/screens/notices/notice-dialog.tsx";
import type { NoticeItem } from "@/shared/api/types.ts";
import { moment } from "@/shared/format/moment.ts";
import { RecordList } from "@/shared/ui/records.tsx";
import { Empty, Loaded } from "@/shared/ui/state.tsx";
import { WINDOW_TONES } from "@/shared/ui/tones.ts";

/** What the operator tells all visitors. */
export function NoticesScreen() {
  const notices = useContent<NoticeItem[]>("notices");
  const [opened, setOpened] = useState<NoticeItem | "new" | null>(null);
  return (
    <ContentPage
      title="公告"
      lead="显示在“我的”页面，新的在前。改过的公告，访客会再次看到它是新的。"
      add="新建公告"
      onAdd={() => {
        setOpened("new");
      }}
    >
      <Loaded query={notices}>
        {(data) =>
          data.length === 0 ? (
            <Empty>还没有公告。维护、新内容、规则的变化，可以写在这里</Empty>
          ) : (
            <section className="card" aria-label="公告">
              <RecordList
                label="公告列表"
                rows={data.map((one) => ({
                  key: String(one.id),
                  title: one.title,
                  meta: [windowText(one.starts_at, one.ends_at), `改于 ${moment(one.updated_at)}`],
                  picture: one.picture?.url ?? null,
                  badge: windowName(one.state),
                  tone: WINDOW_TONES[one.state],
                }))}
                onOpen={(key) => {
                  setOpened(data.find(({ id }) => String(id) === key) ?? null);
                }}
              />
            </section>
          )
        }
      </Loaded>
      {opened ? (
        <NoticeDialog
          notice={opened === "new" ? null : opened}
          onClose={() => {
            setOpened(null);
          }}
        />
      ) : null}
    </ContentPage>
  );
}
