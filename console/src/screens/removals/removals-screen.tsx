import { useState } from "react";
import { ContentPage } from "@/features/content/content-page.tsx";
import { useContent } from "@/features/content/use-content.ts";
import { RemovalPageForm } from "@/screens/removals/removal-page-form.tsx";
import type { RemovalPage } from "@/shared/api/types.ts";
import { count } from "@/shared/format/count.ts";
import { moment } from "@/shared/format/moment.ts";
import { Empty, Loaded } from "@/shared/ui/state.tsx";

/** The public page of what was taken down: its switch, and what it tells. */
export function RemovalsScreen() {
  const page = useContent<RemovalPage>("removals");
  const [isSaved, setSaved] = useState(false);
  return (
    <ContentPage
      title="下架公示"
      lead="公开的一页，列出永久下架的视频、日期和原因。原因按下架时写的原样公开，不含举报人的任何信息。"
    >
      <Loaded query={page}>
        {(data) => (
          <div className="cards cards-wide">
            <RemovalPageForm
              key={data.revision}
              page={data}
              isSaved={isSaved}
              onSaved={() => {
                setSaved(true);
              }}
            />
            <section className="card" aria-label="会公开的内容">
              <h2 className="card-title">会公开的内容</h2>
              {data.total === 0 ? (
                <Empty>还没有永久下架的视频</Empty>
              ) : (
                <>
                  <p className="row-meta">
                    共 {count(data.total)} 个
                    {data.total > data.latest.length ? `，这里是最近 ${data.latest.length} 个` : ""}
                  </p>
                  <ul className="rows" aria-label="永久下架的视频">
                    {data.latest.map(({ number, removed_at, reason, title }) => (
                      <li key={number}>
                        <div className="row-text">
                          <p className="row-title">{reason}</p>
                          <p className="row-meta">
                            {moment(removed_at)}　{title ?? "没有留下标题"}
                          </p>
                        </div>
                      </li>
                    ))}
                  </ul>
                </>
              )}
            </section>
          </div>
        )}
      </Loaded>
    </ContentPage>
  );
}
