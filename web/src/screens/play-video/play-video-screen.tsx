import "@/shared/ui/skeleton.css";
import "./play-video.css";
import { startTransition, useDeferredValue, useEffect, useState } from "react";
import { InAppAdvice } from "@/features/player/in-app-advice.tsx";
import { Player } from "@/features/player/player.tsx";
import { useAdGate } from "@/features/player/use-ad-gate.ts";
import { LockedVeil, NoticeVeil } from "@/features/player/veils.tsx";
import type { AudioTrack } from "@/player/audio-tracks.ts";
import type { Chapter } from "@/player/play-info.ts";
import { type PlaySource, qualityChoices } from "@/player/sources.ts";
import type { SubtitleTrack } from "@/player/subtitles.ts";
import { listAddress } from "@/shared/list-address.ts";
import { showMessage } from "@/shared/messages/message-store.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import { Link, useSearchParams } from "@/shared/navigation/navigation.tsx";
import { write } from "@/shared/storage/registry.ts";
import { VIDEO_ID } from "@/shared/storage/screen-entries.ts";
import { StatePanel } from "@/shared/ui/state-panel.tsx";
import { useGoBack } from "@/shared/ui/use-go-back.ts";
import { useTitle } from "@/shared/ui/use-title.ts";
import { UNLOCK_COUNT } from "@/shared/unlocks/progress.ts";
import { AboutVideo } from "./about-video.tsx";
import { SimilarList } from "./similar-list.tsx";
import { MoreUnlocks, UnlockPanel } from "./unlock-panel.tsx";
import { type PlayPage, usePlayAds, usePlayPage } from "./use-play-page.ts";
import { Actions, ArtistCard, Labels, PageAd, VideoHead } from "./video-details.tsx";

/** Nothing plays, so there is nothing to advertise before. */
const OPEN_GATE = { phase: "open" } as const;
const NO_SOURCES: readonly PlaySource[] = [];
const NO_AUDIO_TRACKS: readonly AudioTrack[] = [];
const NO_SUBTITLES: readonly SubtitleTrack[] = [];
const NO_CHAPTERS: readonly Chapter[] = [];
const GONE_TEXT = "视频不存在或已下架";

/**
 * `/playVideo?id=` (specification §2): one page per video, so that nothing of the last one lingers.
 */
export function PlayVideoScreen() {
  const [params] = useSearchParams();
  const id = params.get("id") ?? "";
  const isSpared = params.get("ad_show") === "no";
  if (!/^[1-9]\d{0,9}$/.test(id)) return <MissingPage />;
  return <VideoPage key={id} id={Number(id)} isSpared={isSpared} />;
}

/** The page for an address without a video. */
export function MissingPage() {
  const onBack = useGoBack();
  useTitle(GONE_TEXT);
  return (
    <div className="play-page">
      <div className="play-main">
        <section className="player" aria-label="播放器">
          <NoticeVeil onBack={onBack} title={GONE_TEXT} />
        </section>
        <MissingPanel />
      </div>
    </div>
  );
}

/** The way on from a missing video. */
function MissingPanel() {
  return (
    <StatePanel
      title="换个视频看看吧"
      action={
        <Link className="button" to={listAddress(0)}>
          看看全部视频
        </Link>
      }
    />
  );
}

interface VideoPageProps {
  readonly id: number;
  /** The visitor is spared advertisements (`ad_show=no`). */
  readonly isSpared: boolean;
}

/** The page of one video. */
export function VideoPage({ id, isSpared }: VideoPageProps) {
  const page = usePlayPage(id);
  const { info, hint, order, unlock, stage } = page;
  const video = info ?? hint;
  const pageAds = usePlayAds("PLAYINFO", isSpared);
  const [gate, dispatch] = useAdGate(usePlayAds("PLAYBEFORE", isSpared));
  const [isSheetOpen, setSheetOpen] = useState(false);
  const [now] = useState(() => Date.now());
  const onBack = useGoBack();
  const choices = info ? qualityChoices(info.sources, info.duration) : [];
  const artist = info?.artists[0];
  // Each video shows another advertisement of the slot, always the same one.
  const pageAd = pageAds?.[id % Math.max(1, pageAds.length)];
  const suffix = isSpared ? "&ad_show=no" : "";
  const isBlocked = stage !== "open";
  // In separate renderings: neither playback nor a touch waits for what is below.
  const isUnderDue = useDeferredValue(true, false);
  const isAsideDue = useDrawnAfter(isUnderDue);
  useTitle(stage === "gone" ? GONE_TEXT : (video?.title ?? ""));
  useEffect(() => write(VIDEO_ID, String(id)), [id]);

  return (
    <div className="play-page">
      <div className="play-main">
        <Player
          order={isBlocked ? null : order}
          gate={isBlocked ? OPEN_GATE : gate}
          dispatch={dispatch}
          title={video?.title ?? ""}
          poster={info?.poster ?? hint?.cover ?? null}
          artist={artist?.name ?? ""}
          video={info}
          sources={info?.sources ?? NO_SOURCES}
          choices={choices}
          audioTracks={info?.audioTracks ?? NO_AUDIO_TRACKS}
          subtitles={info?.subtitles ?? NO_SUBTITLES}
          storyboard={info?.storyboard ?? null}
          chapters={info?.chapters ?? NO_CHAPTERS}
          isPortrait={(video?.height ?? 0) > (video?.width ?? 0)}
          isSheetOpen={isSheetOpen}
          onSheet={setSheetOpen}
          onBack={onBack}
          isPosterFirst={hint === null}
          isLocked={unlock.phase !== "open"}
          veil={isBlocked && <PageVeil page={page} onBack={onBack} />}
        />
        <InAppAdvice />
        {stage === "gone" && <MissingPanel />}
        {(video || !isBlocked) && <VideoHead video={video} now={now} />}
        <div className="video-under">
          {isUnderDue && artist && <ArtistCard artist={artist} />}
          {isUnderDue && info && unlock.phase === "open" && (
            <Actions
              video={info}
              onQuality={choices.length > 0 ? () => setSheetOpen(true) : null}
            />
          )}
          {isUnderDue && <Labels labels={video?.labels ?? []} />}
          {isUnderDue && info && <AboutVideo about={info} />}
        </div>
        {stage === "locked" && <UnlockPanel unlock={unlock} video={info} />}
        {isUnderDue && pageAd && stage !== "gone" && <PageAd ad={pageAd} />}
      </div>
      {/*
       * Nothing is placed below what does not know its height yet: it would be pushed down before
       * the visitor's eyes.
       */}
      {isAsideDue && pageAds && page.isSettled && (
        <aside className="play-aside">
          {stage === "locked" && <MoreUnlocks id={id} suffix={suffix} />}
          {(stage === "open" || stage === "unreachable") && (
            <SimilarList id={id} now={now} suffix={suffix} />
          )}
        </aside>
      )}
    </div>
  );
}

/** True from the rendering after the one in which `isDrawn` became true. */
function useDrawnAfter(isDrawn: boolean): boolean {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    if (isDrawn) startTransition(() => setDue(true));
  }, [isDrawn]);
  return isDue;
}

interface PageVeilProps {
  readonly page: PlayPage;
  readonly onBack: () => void;
}

/** Replaces playback: a lock, a missing video, or a page that could not be loaded. */
function PageVeil({ page, onBack }: PageVeilProps) {
  if (page.stage === "locked") {
    return (
      <LockedVeil
        onBack={onBack}
        count={page.unlock.count}
        needed={UNLOCK_COUNT}
        onPlay={() => showMessage(TEXT.illegalPlay)}
      />
    );
  }
  if (page.stage === "gone") return <NoticeVeil onBack={onBack} title={GONE_TEXT} />;
  return (
    <NoticeVeil
      onBack={onBack}
      title="视频没有加载出来"
      text={TEXT.networkError}
      onRetry={page.retry}
    />
  );
}
