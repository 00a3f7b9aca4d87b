import { useState } from "react";
import { ContentPage } from "@/features/content/content-page.tsx";
import { NameDialog } from "@/features/content/name-dialog.tsx";
import { NameSearch } from "@/features/content/name-search.tsx";
import { useContent } from "@/features/content/use-content.ts";
import type { LabelItem, LabelList } from "@/shared/api/types.ts";
import { count } from "@/shared/format/count.ts";
import { RecordList } from "@/shared/ui/records.tsx";
import { Empty, Loaded } from "@/shared/ui/state.tsx";

/** Labels, the most used first. */
export function LabelsScreen() {
  const [text, setText] = useState("");
  const labels = useContent<LabelList>(`labels?text=${encodeURIComponent(text)}`);
  const [opened, setOpened] = useState<LabelItem | null>(null);
  return (
    <ContentPage title="标签" lead="在视频的资料里写上标签，就会出现在这里。用得多的在前。">
      <NameSearch label="搜索标签的名称" onSearch={setText} />
      <Loaded query={labels}>
        {({ data, total }) =>
          data.length === 0 ? (
            <Empty>{text ? "没有这样的标签" : "还没有标签"}</Empty>
          ) : (
            <section className="card" aria-label="标签">
              <p className="row-meta">
                共 {count(total)} 个
                {total > data.length ? `，列出前 ${data.length} 个，可以搜索` : ""}
              </p>
              <RecordList
                label="标签列表"
                rows={data.map((one) => ({
                  key: String(one.id),
                  title: one.name,
                  meta: [`${count(one.videos)} 个视频`],
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
        <NameDialog
          title="修改标签"
          path="labels"
          row={opened}
          longest={40}
          removal={`将从所有视频上去掉标签“${opened.name}”，不能恢复。`}
          canMerge
          onClose={() => {
            setOpened(null);
          }}
        />
      ) : null}
    </ContentPage>
  );
}
