import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { ContentPage } from "@/features/content/content-page.tsx";
import { useContent } from "@/features/content/use-content.ts";
import { AgeGateForm } from "@/screens/age-gate/age-gate-form.tsx";
import type { AgeGate } from "@/shared/api/types.ts";
import { count } from "@/shared/format/count.ts";
import { Loaded } from "@/shared/ui/state.tsx";

/** Whether visitors say their age first: the whole site, and which categories. */
export function AgeGateScreen() {
  const gate = useContent<AgeGate>("age-gate");
  const [isSaved, setSaved] = useState(false);
  return (
    <ContentPage
      title="确认年龄"
      lead="访客先回答已满 18 岁，才看得到封面、打得开视频；标题照常显示。回答只保存在访客自己的设备上。"
    >
      <Loaded query={gate}>
        {(data) => (
          <div className="cards cards-wide">
            <AgeGateForm
              key={data.revision}
              gate={data}
              isSaved={isSaved}
              onSaved={() => {
                setSaved(true);
              }}
            />
            <section className="card" aria-label="需确认年龄的分类">
              <div className="card-head">
                <h2 className="card-title">分类</h2>
                <Link to="/content/categories" className="button button-small">
                  去设置分类
                </Link>
              </div>
              <p className="row-meta">
                {data.categories.length > 0
                  ? `需确认年龄：${data.categories.join("、")}。`
                  : "没有单独要求确认年龄的分类。"}
              </p>
              <p className="row-meta">
                {data.unsettled > 0
                  ? `网站还在处理 ${count(data.unsettled)} 个视频的封面和文件。要求确认的，已经看不到；不再要求的，一个接一个放开。`
                  : "封面和文件都已处理好。"}
              </p>
            </section>
          </div>
        )}
      </Loaded>
    </ContentPage>
  );
}
