import { useState } from "react";
import { ContentPage } from "@/features/content/content-page.tsx";
import { NameSearch } from "@/features/content/name-search.tsx";
import { useContent } from "@/features/content/use-content.ts";
import { ArtistDialog } from "@/screens/artists/artist-dialog.tsx";
import type { ArtistItem, ArtistList } from "@/shared/api/types.ts";
import { count } from "@/shared/format/count.ts";
import { RecordList } from "@/shared/ui/records.tsx";
import { Empty, Loaded } from "@/shared/ui/state.tsx";

/** Artists by name. */
export function ArtistsScreen() {
  const [text, setText] = useState("");
  const artists = useContent<ArtistList>(`artists?text=${encodeURIComponent(text)}`);
  const [opened, setOpened] = useState<ArtistItem | null>(null);
  return (
    <ContentPage title="艺人" lead="在视频的资料里写上名字，就会出现在这里。">
      <NameSearch label="搜索艺人的名字" onSearch={setText} />
      <Loaded query={artists}>
        {({ data, total }) =>
          data.length === 0 ? (
            <Empty>{text ? "没有这样的艺人" : "还没有艺人"}</Empty>
          ) : (
            <section className="card" aria-label="艺人">
              <p className="row-meta">
                共 {count(total)} 位
                {total > data.length ? `，列出前 ${data.length} 位，可以搜索` : ""}
              </p>
              <RecordList
                label="艺人列表"
                rows={data.map((one) => ({
                  key: String(one.id),
                  title: one.name,
                  meta: [`${count(one.videos)} 个视频`, one.intro],
                  picture: one.picture?.url ?? null,
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
        <ArtistDialog
          artist={opened}
          onClose={() => {
            setOpened(null);
          }}
        />
      ) : null}
    </ContentPage>
  );
}
