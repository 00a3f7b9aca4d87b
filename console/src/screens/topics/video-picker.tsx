import { IconX } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "@/shared/api/call.ts";
import type { TopicVideo, VideoPage } from "@/shared/api/types.ts";
import { Field } from "@/shared/ui/field.tsx";
import { RecordList } from "@/shared/ui/records.tsx";

const OFFERED = 6;

interface VideoPickerProps {
  readonly videos: readonly TopicVideo[];
  readonly onChange: (videos: TopicVideo[]) => void;
  readonly fault: string | undefined;
  readonly mayEdit: boolean;
}

/** Videos in order: found by title or number, added, moved and taken out. */
export function VideoPicker({ videos, onChange, fault, mayEdit }: VideoPickerProps) {
  const [text, setText] = useState("");
  const asked = text.trim();
  const found = useQuery({
    queryKey: ["videos", "picker", asked],
    queryFn: ({ signal }) =>
      call<VideoPage>(`/api/videos?text=${encodeURIComponent(asked)}`, { signal }),
    placeholderData: keepPreviousData,
    enabled: asked !== "",
  });
  const offered = (asked === "" ? [] : (found.data?.data ?? []))
    .filter(({ id }) => !videos.some((one) => one.id === id))
    .slice(0, OFFERED);
  return (
    <>
      {videos.length > 0 ? (
        <RecordList
          label="专题里的视频"
          rows={videos.map(({ id, title }) => ({
            key: String(id),
            title,
            meta: [`编号 ${id}`],
          }))}
          {...(mayEdit
            ? {
                onOrder: (keys) => {
                  const byKey = new Map(videos.map((one) => [String(one.id), one]));
                  onChange(keys.flatMap((key) => byKey.get(key) ?? []));
                },
                action: ({ key, title }) => (
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={`移出 ${title}`}
                    onClick={() => {
                      onChange(videos.filter(({ id }) => String(id) !== key));
                    }}
                  >
                    <IconX size={20} stroke={1.75} aria-hidden="true" />
                  </button>
                ),
              }
            : {})}
        />
      ) : (
        <p className="row-meta">还没有视频。没有视频的专题不会显示。</p>
      )}
      {mayEdit ? (
        <Field label="加入视频" hint="写它的编号，或标题的一部分，再从找到的里选" fault={fault}>
          {(given) => (
            <input
              {...given}
              type="search"
              value={text}
              maxLength={64}
              autoComplete="off"
              onChange={(event) => {
                setText(event.target.value);
              }}
              onKeyDown={(event) => {
                // Otherwise the whole form would be sent.
                if (event.key === "Enter") event.preventDefault();
              }}
            />
          )}
        </Field>
      ) : null}
      {offered.length > 0 ? (
        <ul className="rows" aria-label="找到的视频">
          {offered.map(({ id, title }) => (
            <li key={id}>
              <span className="row-text row-title">{title}</span>
              <button
                type="button"
                className="button button-small"
                aria-label={`加入 ${title}`}
                onClick={() => {
                  onChange([...videos, { id, title }]);
                }}
              >
                加入
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
