import { useState } from "react";
import { ContentPage } from "@/features/content/content-page.tsx";
import { useContent, useContentChange, useMayEdit } from "@/features/content/use-content.ts";
import { CategoryDialog } from "@/screens/categories/category-dialog.tsx";
import type { CategoryItem } from "@/shared/api/types.ts";
import { count } from "@/shared/format/count.ts";
import { RecordList } from "@/shared/ui/records.tsx";
import { Empty, Loaded } from "@/shared/ui/state.tsx";

/** Categories in the site's order. */
export function CategoriesScreen() {
  const categories = useContent<CategoryItem[]>("categories");
  const order = useContentChange();
  const mayEdit = useMayEdit();
  const [opened, setOpened] = useState<CategoryItem | "new" | null>(null);
  return (
    <ContentPage
      title="分类"
      lead="首页和分类列表按这个次序。隐藏的分类不出现在那里，里面的视频照常能看到、能搜到。"
      add="新建分类"
      onAdd={() => {
        setOpened("new");
      }}
      fault={order.error?.message}
    >
      <Loaded query={categories}>
        {(data) =>
          data.length === 0 ? (
            <Empty>还没有分类。导入视频时也会自动新建</Empty>
          ) : (
            <section className="card" aria-label="分类">
              <RecordList
                label="分类的次序"
                rows={data.map((one) => ({
                  key: String(one.id),
                  title: one.name,
                  meta: [
                    `编号 ${one.id}，${count(one.videos)} 个视频`,
                    ...(one.is_gated ? ["需确认年龄"] : []),
                  ],
                  picture: one.picture?.url ?? null,
                  badge: one.is_reserved ? "不在分类里" : one.is_hidden ? "已隐藏" : undefined,
                }))}
                isBusy={order.isPending}
                onOpen={(key) => {
                  setOpened(data.find(({ id }) => String(id) === key) ?? null);
                }}
                onOrder={
                  mayEdit
                    ? (keys) => {
                        order.mutate({
                          method: "POST",
                          path: "categories/order",
                          body: { ids: keys.map(Number) },
                        });
                      }
                    : undefined
                }
              />
            </section>
          )
        }
      </Loaded>
      {opened ? (
        <CategoryDialog
          category={opened === "new" ? null : opened}
          onClose={() => {
            setOpened(null);
          }}
        />
      ) : null}
    </ContentPage>
  );
}
