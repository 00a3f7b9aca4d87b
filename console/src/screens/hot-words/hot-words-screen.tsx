import { useState } from "react";
import { ContentPage } from "@/features/content/content-page.tsx";
import {
  saidOfNone,
  useContent,
  useContentChange,
  useMayEdit,
} from "@/features/content/use-content.ts";
import { joined } from "@/features/videos/names.ts";
import { GroupDialog } from "@/screens/hot-words/group-dialog.tsx";
import { WordForm } from "@/screens/hot-words/word-form.tsx";
import type { HotGroup, HotWords } from "@/shared/api/types.ts";
import { count } from "@/shared/format/count.ts";
import { RecordList } from "@/shared/ui/records.tsx";
import { Empty, Loaded } from "@/shared/ui/state.tsx";
import { EMPTY_TONE } from "@/shared/ui/tones.ts";

type Opened = { readonly group: HotGroup | null; readonly words: string } | null;

/** What is offered before one searches: pinned groups, what is searched, what is never offered. */
export function HotWordsScreen() {
  const words = useContent<HotWords>("hot-words");
  const change = useContentChange();
  const mayEdit = useMayEdit();
  const [opened, setOpened] = useState<Opened>(null);
  const put = (action: "block" | "unblock", word: string) => {
    change.mutate({ method: "POST", path: `hot-words/${action}`, body: { word } });
  };
  return (
    <ContentPage
      title="热搜词"
      lead="置顶的组排在搜索页最前面；屏蔽的词不再出现在热搜和联想里，搜索本身不受影响。"
      add="置顶一组"
      onAdd={() => {
        setOpened({ group: null, words: "" });
      }}
      fault={saidOfNone(change.error, ["words"])}
    >
      <Loaded query={words}>
        {({ groups, searched, blocked }) => (
          <div className="columns">
            <section className="card" aria-label="置顶">
              <h2 className="card-title">置顶的组</h2>
              {groups.length === 0 ? (
                <p className="row-meta">还没有。置顶一组词，它们会排在搜索页最前面。</p>
              ) : (
                <RecordList
                  label="置顶的组"
                  rows={groups.map((group) => ({
                    key: group.title,
                    title: group.title,
                    meta: [joined(group.words)],
                  }))}
                  isBusy={change.isPending}
                  onOpen={(key) => {
                    const group = groups.find(({ title }) => title === key) ?? null;
                    setOpened({ group, words: "" });
                  }}
                  onOrder={
                    mayEdit
                      ? (titles) => {
                          change.mutate({
                            method: "POST",
                            path: "hot-words/groups/order",
                            body: { titles },
                          });
                        }
                      : undefined
                  }
                />
              )}
            </section>
            <div className="cards">
              <section className="card" aria-label="近 24 小时的搜索">
                <h2 className="card-title">近 24 小时的搜索</h2>
                {searched.length === 0 ? (
                  <p className="row-meta">还没有哪个词被 5 个以上的网络搜过。</p>
                ) : (
                  <RecordList
                    label="搜索的词"
                    rows={searched.map(({ term, networks, results }) => ({
                      key: term,
                      title: term,
                      meta: [
                        `${count(networks)} 个网络`,
                        ...(results === 0 ? [] : [`搜到 ${count(results)} 个视频`]),
                      ],
                      ...(results === 0 ? { badge: "无结果", tone: EMPTY_TONE } : {}),
                    }))}
                    {...(mayEdit
                      ? {
                          action: ({ key }) => (
                            <>
                              <SmallButton
                                name="置顶"
                                word={key}
                                onClick={() => {
                                  setOpened({ group: null, words: key });
                                }}
                              />
                              <SmallButton
                                name="屏蔽"
                                word={key}
                                onClick={() => {
                                  put("block", key);
                                }}
                              />
                            </>
                          ),
                        }
                      : {})}
                  />
                )}
              </section>
              <section className="card" aria-label="屏蔽的词">
                <h2 className="card-title">屏蔽的词</h2>
                {mayEdit ? <WordForm change={change} /> : null}
                {blocked.length === 0 ? (
                  <Empty>没有屏蔽的词</Empty>
                ) : (
                  <RecordList
                    label="屏蔽的词"
                    rows={blocked.map((word) => ({ key: word, title: word }))}
                    {...(mayEdit
                      ? {
                          action: ({ key }) => (
                            <SmallButton
                              name="取消屏蔽"
                              word={key}
                              onClick={() => {
                                put("unblock", key);
                              }}
                            />
                          ),
                        }
                      : {})}
                  />
                )}
              </section>
            </div>
          </div>
        )}
      </Loaded>
      {opened ? (
        <GroupDialog
          group={opened.group}
          words={opened.words}
          onClose={() => {
            setOpened(null);
          }}
        />
      ) : null}
    </ContentPage>
  );
}

function SmallButton({
  name,
  word,
  onClick,
}: {
  readonly name: string;
  readonly word: string;
  readonly onClick: () => void;
}) {
  return (
    <button
      type="button"
      className="button button-small"
      aria-label={`${name} ${word}`}
      onClick={onClick}
    >
      {name}
    </button>
  );
}
