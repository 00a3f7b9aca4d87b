import { IconExternalLink } from "@tabler/icons-react";
import { useState } from "react";
import { ContentPage } from "@/features/content/content-page.tsx";
import { useContent, useContentChange, useMayEdit } from "@/features/content/use-content.ts";
import { TopicDialog } from "@/screens/topics/topic-dialog.tsx";
import type { TopicItem, Topics } from "@/shared/api/types.ts";
import { RecordList } from "@/shared/ui/records.tsx";
import { Empty, Loaded } from "@/shared/ui/state.tsx";
import { EMPTY_TONE } from "@/shared/ui/tones.ts";

/** Collections of videos. */
export function TopicsScreen() {
  const topics = useContent<Topics>("topics");
  const order = useContentChange();
  const mayEdit = useMayEdit();
  const [opened, setOpened] = useState<TopicItem | "new" | null>(null);
  return (
    <ContentPage
      title="专题"
      lead="有视频的专题显示在首页，也有自己的页面，轮播图和广告可以链接到它。"
      add="新建专题"
      onAdd={() => {
        setOpened("new");
      }}
      fault={order.error?.message}
    >
      <Loaded query={topics}>
        {({ topics: rows, site }) =>
          rows.length === 0 ? (
            <Empty>还没有专题。挑几个视频放在一起，起个标题</Empty>
          ) : (
            <section className="card" aria-label="专题">
              <RecordList
                label="专题的次序"
                rows={rows.map((one) => ({
                  key: String(one.id),
                  title: one.title,
                  meta: [`${one.videos.length} 个视频`, one.intro],
                  picture: one.picture?.url ?? null,
                  badge: one.videos.length === 0 ? "没有视频" : undefined,
                  tone: EMPTY_TONE,
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
                          path: "topics/order",
                          body: { ids: keys.map(Number) },
                        });
                      }
                    : undefined
                }
                {...(site
                  ? {
                      action: ({ key, title }) => (
                        <a
                          className="icon-button"
                          href={`${site}/topic?id=${key}`}
                          target="_blank"
                          rel="noopener noreferrer"
                          aria-label={`在网站上看 ${title}`}
                        >
                          <IconExternalLink size={20} stroke={1.75} aria-hidden="true" />
                        </a>
                      ),
                    }
                  : {})}
              />
            </section>
          )
        }
      </Loaded>
      {opened ? (
        <TopicDialog
          topic={opened === "new" ? null : opened}
          onClose={() => {
            setOpened(null);
          }}
        />
      ) : null}
    </ContentPage>
  );
}
