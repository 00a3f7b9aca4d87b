import "@/features/videos/cover.css";
import "@/screens/video/cover/cover.css";
import "@/screens/video/preview/preview.css";
import { IconExternalLink, IconPhotoUp } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Cover } from "@/features/videos/cover.tsx";
import { CoverDialog, type Source } from "@/screens/video/cover/cover-dialog.tsx";
import { FilmStrip } from "@/screens/video/cover/film-strip.tsx";
import { Player } from "@/screens/video/preview/player.tsx";
import { call } from "@/shared/api/call.ts";
import type { Playback, VideoRow } from "@/shared/api/types.ts";
import { LARGEST_PICTURE } from "@/shared/ui/picture-field.tsx";
import { Loaded } from "@/shared/ui/state.tsx";

interface PreviewCardProps {
  readonly video: VideoRow;
  /** Names of the subtitle tracks and renditions: another number of them is played anew. */
  readonly revision: string;
  readonly mayEdit: boolean;
}

/** The film as visitors see it, and where its cover comes from. */
export function PreviewCard({ video, revision, mayEdit }: PreviewCardProps) {
  const playback = useQuery({
    queryKey: ["playback", video.id, video.state, revision],
    queryFn: ({ signal }) => call<Playback>(`/api/videos/${video.id}/playback`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <section className="card" aria-label="预览">
      <Loaded query={playback}>
        {(data) => <Preview key={revision} video={video} playback={data} mayEdit={mayEdit} />}
      </Loaded>
    </section>
  );
}

interface PreviewProps {
  readonly video: VideoRow;
  readonly playback: Playback;
  readonly mayEdit: boolean;
}

function Preview({ video, playback, mayEdit }: PreviewProps) {
  const element = useRef<HTMLVideoElement>(null);
  const [isStarted, setStarted] = useState(false);
  const [source, setSource] = useState<Source | null>(null);
  const isPlayable = playback.playlist !== "";
  return (
    <>
      {isPlayable ? (
        <Player
          video={video}
          playback={playback}
          element={element}
          onStart={() => {
            setStarted(true);
          }}
        />
      ) : (
        <>
          <Cover video={video} />
          <p className="row-meta">还没有可以播放的清晰度。</p>
        </>
      )}
      {playback.site_url ? (
        <a
          className="button button-small"
          href={playback.site_url}
          target="_blank"
          rel="noreferrer"
        >
          <IconExternalLink size={18} stroke={1.75} aria-hidden="true" />
          在网站上看
        </a>
      ) : (
        <p className="row-meta">{UNSEEN[video.state]}</p>
      )}
      {mayEdit ? (
        <div className="cover-choice">
          <h2 className="card-title">换封面</h2>
          {isPlayable ? (
            <FilmStrip
              address={playback.storyboard}
              onChoose={(at) => {
                setSource(at);
              }}
            />
          ) : null}
          <div className="chips">
            {isPlayable ? (
              <button
                type="button"
                className="button button-small"
                onClick={() => {
                  setSource(Math.round((element.current?.currentTime ?? 0) * 1000));
                }}
              >
                {isStarted ? "用正在放的画面" : "从影片里选"}
              </button>
            ) : null}
            <UploadButton onChoose={setSource} />
          </div>
        </div>
      ) : null}
      {source === null ? null : (
        <CoverDialog
          video={video}
          source={source}
          onClose={() => {
            setSource(null);
          }}
        />
      )}
    </>
  );
}

/** Why the site's page is not linked. */
const UNSEEN: Record<VideoRow["state"], string> = {
  shown: "没有设置网站的地址，所以没有到网站的链接。",
  hidden: "已隐藏，访客看不到；这里仍可以播放。",
  scheduled: "还没有到发布的时间，访客看不到；这里可以先看。",
  unfinished: "还没有导入完，访客看不到。",
  removed: "在回收站里，访客看不到；这里仍可以播放。",
};

function UploadButton({ onChoose }: { readonly onChoose: (file: File) => void }) {
  const [fault, setFault] = useState<string | null>(null);
  return (
    <div className="cover-upload">
      <label className="picture-choice">
        <IconPhotoUp size={18} stroke={1.75} aria-hidden="true" />
        <span>上传图片</span>
        <input
          type="file"
          accept="image/jpeg,image/png,image/webp"
          aria-describedby="cover-hint"
          onChange={(event) => {
            const file = event.target.files?.[0];
            // The same file may be chosen again.
            event.target.value = "";
            if (!file) return;
            const isLarge = file.size > LARGEST_PICTURE;
            setFault(isLarge ? "图片最大 8 MB，请先缩小" : null);
            if (!isLarge) onChoose(file);
          }}
        />
      </label>
      <p id="cover-hint" className="row-meta">
        JPEG、PNG、WebP，最大 8 MB
      </p>
      {fault ? (
        <p className="field-fault" role="alert">
          {fault}
        </p>
      ) : null}
    </div>
  );
}
