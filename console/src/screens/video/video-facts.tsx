import { Link } from "@tanstack/react-router";
import { joined, stateName } from "@/features/videos/names.ts";
import type { VideoDetail } from "@/shared/api/types.ts";
import { count } from "@/shared/format/count.ts";
import { moment } from "@/shared/format/moment.ts";

/** What describes a video, where nothing of it may be changed. */
export function VideoText({ detail }: { readonly detail: VideoDetail }) {
  const { video, labels, artists, description } = detail;
  return (
    <FactList
      facts={[
        ["标题", video.title],
        ["分类", video.category_name],
        ["标签", joined(labels) || "（无）"],
        ["艺人", joined(artists) || "（无）"],
        ["发布", moment(video.publish_at ?? video.created_at)],
        ["简介", description || "（无）"],
      ]}
    />
  );
}

function FactList({ facts }: { readonly facts: readonly (readonly [string, string])[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What the console knows of a video beside what describes it. */
export function Facts({ detail }: { readonly detail: VideoDetail }) {
  const { video, renditions, subtitles, source_name, cause, labels } = detail;
  const facts: readonly (readonly [string, string])[] = [
    ["编号", String(video.id)],
    ["状态", stateName(video.state)],
    ...(video.publish_at ? [["将在", moment(video.publish_at)] as const] : []),
    ["播放", `${count(video.pageviews)} 次`],
    ["清晰度", joined(renditions) || "还没有"],
    ["字幕", joined(subtitles.map(({ label }) => label)) || "没有"],
    ["来源文件", source_name || "（无）"],
    ["更新", moment(video.updated_at)],
    ...(detail.is_locked ? [["锁定", "分享后才能观看"] as const] : []),
    ...(cause ? [["问题", cause] as const] : []),
  ];
  return (
    <>
      <FactList facts={facts} />
      {labels.length > 0 ? (
        <ul className="chips" aria-label="标签">
          {labels.map((label) => (
            <li key={label}>
              <Link to="/videos" search={{ label }} className="chip">
                {label}
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
