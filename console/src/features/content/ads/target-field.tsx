import { useState } from "react";
import { linkTo, type TargetKind, targetOf } from "@/features/content/ads/targets.ts";
import { useContent } from "@/features/content/use-content.ts";
import type { Topics } from "@/shared/api/types.ts";
import { Field } from "@/shared/ui/field.tsx";

/** Where a picture leads: any address, a video or a topic of the site. */
export function TargetField({
  value,
  onChange,
  fault,
}: {
  readonly value: string;
  readonly onChange: (url: string) => void;
  readonly fault: string | undefined;
}) {
  const target = targetOf(value);
  // An empty address says nothing of what is meant.
  const [chosen, setChosen] = useState<TargetKind>(target.kind);
  const inside = target.kind === chosen ? target.value : "";
  const put = (text: string) => {
    onChange(linkTo({ kind: chosen, value: text }));
  };
  return (
    <>
      <Field label="点击后打开">
        {(given) => (
          <select
            {...given}
            value={chosen}
            onChange={(event) => {
              setChosen(event.target.value as TargetKind);
              onChange("");
            }}
          >
            <option value="url">网址</option>
            <option value="video">视频</option>
            <option value="topic">专题</option>
          </select>
        )}
      </Field>
      {chosen === "topic" ? (
        <TopicChoice value={inside} onChange={put} fault={fault} />
      ) : (
        <Field
          label={chosen === "video" ? "视频编号" : "链接"}
          hint={chosen === "video" ? undefined : "https:// 开头的网址，或站内路径"}
          fault={fault}
        >
          {(given) => (
            <input
              {...given}
              value={inside}
              inputMode={chosen === "video" ? "numeric" : "url"}
              autoComplete="off"
              onChange={(event) => {
                put(
                  chosen === "video"
                    ? event.target.value.replace(/[^0-9]/g, "")
                    : event.target.value,
                );
              }}
            />
          )}
        </Field>
      )}
    </>
  );
}

function TopicChoice({
  value,
  onChange,
  fault,
}: {
  readonly value: string;
  readonly onChange: (number: string) => void;
  readonly fault: string | undefined;
}) {
  const topics = useContent<Topics>("topics").data?.topics ?? [];
  return (
    <Field
      label="专题"
      hint={topics.length === 0 ? "还没有专题，请先新建" : undefined}
      fault={fault}
    >
      {(given) => (
        <select
          {...given}
          value={value}
          onChange={(event) => {
            onChange(event.target.value);
          }}
        >
          <option value="">请选择</option>
          {topics.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
