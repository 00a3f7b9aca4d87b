import "@/screens/video/video.css";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { includes, useMe } from "@/features/session/me.ts";
import { Cover } from "@/features/videos/cover.tsx";
import { joined, stateName } from "@/features/videos/names.ts";
import { RemovalCard } from "@/screens/video/removal-card.tsx";
import { VideoForm } from "@/screens/video/video-form.tsx";
import { VisibilityButton } from "@/screens/video/visibility-button.tsx";
import { call } from "@/shared/api/call.ts";
import type { VideoDetail } from "@/shared/api/types.ts";
import { count } from "@/shared/format/count.ts";
import { moment } from "@/shared/format/moment.ts";
import { Loaded } from "@/shared/ui/state.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";

const route = getRouteApi("/shell/videos/$id");

/** One video: what describes it, who sees it, and changing both. */
export function VideoScreen() {
  const { id } = route.useParams();
  const detail = useQuery({
    queryKey: ["video", id],
    queryFn: ({ signal }) => call<VideoDetail>(`/api/videos/${id}`, { signal }),
  });
  useTitle(detail.data?.video.title ?? "视频");
  return (
    <div className="page">
      <Loaded query={detail}>{(data) => <Video key={id} detail={data} />}</Loaded>
    </div>
  );
}

function Video({ detail }: { readonly detail: VideoDetail }) {
  const me = useMe();
  const { video } = detail;
  const isRemoved = video.state === "removed";
  const mayEdit = me !== undefined && includes(me.role, "editor");
  return (
    <>
      <header className="page-head">
        <h1 className="page-title video-name">{video.title}</h1>
        {mayEdit && !isRemoved ? <VisibilityButton video={video} /> : null}
      </header>
      <div className="columns">
        <section className="card" aria-labelledby="describe">
          <h2 id="describe" className="card-title">
            资料
          </h2>
          {mayEdit && !isRemoved ? <VideoForm detail={detail} /> : <VideoText detail={detail} />}
        </section>
        <div className="video-side">
          <section className="card" aria-label="概况">
            <Cover video={video} />
            <Facts detail={detail} />
          </section>
          {mayEdit ? <RemovalCard video={video} /> : null}
        </div>
      </div>
    </>
  );
}

/** What describes a video, where nothing of it may be changed. */
function VideoText({ detail }: { readonly detail: VideoDetail }) {
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

function Facts({ detail }: { readonly detail: VideoDetail }) {
  const { video, renditions, subtitles, source_name, cause, labels } = detail;
  const facts: readonly (readonly [string, string])[] = [
    ["编号", String(video.id)],
    ["状态", stateName(video.state)],
    ...(video.publish_at ? [["将在", moment(video.publish_at)] as const] : []),
    ["播放", `${count(video.pageviews)} 次`],
    ["清晰度", renditions.join("、") || "还没有"],
    ["字幕", subtitles.join("、") || "没有"],
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
