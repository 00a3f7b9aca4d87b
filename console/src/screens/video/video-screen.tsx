import "@/screens/video/video.css";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { includes, useMe } from "@/features/session/me.ts";
import { BackLink } from "@/screens/video/back-link.tsx";
import { FigureCard } from "@/screens/video/figures/figure-card.tsx";
import type { Part } from "@/screens/video/parts.ts";
import { PreviewCard } from "@/screens/video/preview/preview-card.tsx";
import { RemovalActions } from "@/screens/video/removal-actions.tsx";
import { SubtitleCard } from "@/screens/video/subtitles/subtitle-card.tsx";
import { Facts, VideoText } from "@/screens/video/video-facts.tsx";
import { VideoForm } from "@/screens/video/video-form.tsx";
import { VisibilityButton } from "@/screens/video/visibility-button.tsx";
import { call } from "@/shared/api/call.ts";
import type { VideoDetail } from "@/shared/api/types.ts";
import { moment } from "@/shared/format/moment.ts";
import { Choice } from "@/shared/ui/choice.tsx";
import { Loaded } from "@/shared/ui/state.tsx";
import { useTitle } from "@/shared/ui/use-title.ts";

const route = getRouteApi("/shell/videos/$id");
const PARTS = [
  { value: "text", name: "资料" },
  { value: "subtitles", name: "字幕" },
  { value: "figures", name: "数据" },
] as const;

/** One video: seen, described, and who sees it; its cover, subtitles and figures. */
export function VideoScreen() {
  const { id } = route.useParams();
  const detail = useQuery({
    queryKey: ["video", id],
    queryFn: ({ signal }) => call<VideoDetail>(`/api/videos/${id}`, { signal }),
  });
  useTitle(detail.data?.video.title ?? "视频");
  return (
    <div className="page">
      <BackLink />
      <Loaded query={detail}>{(data) => <Video key={id} detail={data} />}</Loaded>
    </div>
  );
}

function Video({ detail }: { readonly detail: VideoDetail }) {
  const me = useMe();
  const { part = "text" } = route.useSearch();
  const navigate = route.useNavigate();
  const { video } = detail;
  const isRemoved = video.state === "removed";
  const isEditor = me !== undefined && includes(me.role, "editor");
  const mayEdit = isEditor && !isRemoved;
  const revision = [...detail.renditions, ...detail.subtitles.map(({ lang }) => lang)].join(" ");
  return (
    <>
      <header className="video-head">
        <h1 className="page-title video-name" title={video.title}>
          {video.title}
        </h1>
        {video.removed_at && video.purged_at ? (
          <p className="page-lead">
            {moment(video.removed_at)} 移入回收站，{moment(video.purged_at)} 自动彻底删除。
          </p>
        ) : null}
        {isEditor ? (
          <div className="video-actions">
            {mayEdit ? <VisibilityButton video={video} /> : null}
            <RemovalActions video={video} />
          </div>
        ) : null}
      </header>
      <div className="video-parts">
        <div className="video-side">
          <PreviewCard video={video} revision={revision} mayEdit={mayEdit} />
        </div>
        <div className="video-main">
          <Choice
            label="这个视频的"
            options={PARTS}
            value={part}
            onChange={(chosen: Part) => {
              void navigate({
                search: ({ part: _part, ...list }) =>
                  chosen === "text" ? list : { ...list, part: chosen },
                state: true,
                replace: true,
                resetScroll: false,
              });
            }}
          />
          {part === "text" ? (
            <>
              <section className="card" aria-labelledby="describe">
                <h2 id="describe" className="card-title">
                  资料
                </h2>
                {mayEdit ? <VideoForm detail={detail} /> : <VideoText detail={detail} />}
              </section>
              <section className="card" aria-labelledby="facts">
                <h2 id="facts" className="card-title">
                  概况
                </h2>
                <Facts detail={detail} />
              </section>
            </>
          ) : null}
          {part === "subtitles" ? <SubtitleCard detail={detail} mayEdit={mayEdit} /> : null}
          {part === "figures" ? <FigureCard id={video.id} /> : null}
        </div>
      </div>
    </>
  );
}
