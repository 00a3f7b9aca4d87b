import "./player.css";
import { IconChevronLeft } from "@tabler/icons-react";
import {
  type ReactNode,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { type GateEvent, type GateState, isAdUp } from "@/player/ad-gate.ts";
import type { AudioTrack } from "@/player/audio-tracks.ts";
import type { Chapter } from "@/player/play-info.ts";
import type { PlayOrder } from "@/player/playback-state.ts";
import type { PlaySource, QualityChoice } from "@/player/sources.ts";
import type { SubtitleTrack } from "@/player/subtitles.ts";
import type { Ad, Picture, Video } from "@/shared/api/model.ts";
import { Cover } from "@/shared/covers/cover.tsx";
import { showMessage } from "@/shared/messages/message-store.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import { AdGate } from "./ad-gate-veil.tsx";
import { PlayerButton } from "./controls/button/player-button.tsx";
import { Controls } from "./controls/controls.tsx";
import { PlayButton } from "./controls/play-button/play-button.tsx";
import { ScreenLock } from "./controls/screen-lock/screen-lock.tsx";
import { EarlyWayBack } from "./controls/top-bar/top-bar.tsx";
import { GestureLayer } from "./gesture-layer.tsx";
import { KeyboardHelp } from "./keyboard-help.tsx";
import { PlayerContext, type PlayerParts, useFullscreenMode, usePlayback } from "./player-parts.ts";
import { SeekHint } from "./seek-hint.tsx";
import { SettingsSheet } from "./settings-sheet.tsx";
import { useKeyboard } from "./use-keyboard.ts";
import { useLockGuard } from "./use-lock-guard.ts";
import {
  useGatedStart,
  usePausedControls,
  usePlayReports,
  useWatchRecord,
} from "./use-playback-effects.ts";
import { useOpenedPlayer } from "./use-player-parts.ts";
import { usePosterFirst } from "./use-poster-first.ts";
import { useSubtitles } from "./use-subtitles.ts";
import { FailureVeil, NoticeVeil } from "./veils.tsx";

export interface PlayerProps {
  /** What to play; null while unknown, or if nothing may be played. */
  readonly order: PlayOrder | null;
  readonly gate: GateState<Ad>;
  readonly dispatch: (event: GateEvent<Ad>) => void;
  readonly title: string;
  readonly poster: Picture | null;
  readonly artist: string;
  /** The history's entry; null until it is known. */
  readonly video: Video | null;
  /** Whether all sources are known; playback may have begun with the first one. */
  readonly sources: readonly PlaySource[];
  readonly choices: readonly QualityChoice[];
  readonly audioTracks: readonly AudioTrack[];
  readonly subtitles: readonly SubtitleTrack[];
  readonly storyboard: string | null;
  readonly chapters: readonly Chapter[];
  readonly isPortrait: boolean;
  readonly isSheetOpen: boolean;
  readonly onSheet: (open: boolean) => void;
  readonly onBack: () => void;
  /** Whether nothing may play here. */
  readonly isLocked: boolean;
  /**
   * Whether the visitor came by address, not by a tap: the poster is then drawn before the engine
   * is loaded.
   */
  readonly isPosterFirst: boolean;
  /** Replaces playback: a lock, or a failed page. */
  readonly veil: ReactNode;
}

/** The player's box: picture, poster, advertisement, gestures and controls. */
export function Player(props: PlayerProps) {
  const { order, gate, dispatch, poster, isPortrait, veil, onBack } = props;
  const box = useRef<HTMLElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const [mayOpen, onPoster] = usePosterFirst(props.isPosterFirst);
  const parts = useOpenedPlayer(mayOpen ? order : null, box, host);
  const isOpen = gate.phase === "open";
  const isWaiting = gate.phase === "asking" || (isOpen && !parts);
  usePlayReports(parts, isOpen);
  useGatedStart(parts, isOpen, () => dispatch({ type: "playing" }));
  usePausedControls(parts);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const openHelp = useCallback(() => setHelpOpen(true), []);
  useKeyboard(parts, isOpen, openHelp);
  useWatchRecord(parts, props.video, props.artist);
  useHijackGuard(parts, gate);
  useLockGuard(box, props.isLocked);
  useAllSources(parts, props.sources);

  return (
    <section ref={box} className="player" aria-label="播放器" data-portrait={isPortrait}>
      <div ref={host} className="player-host" data-hidden={!isOpen} />
      {poster && <Poster poster={poster} parts={parts} onSettled={onPoster} />}
      {parts && isOpen && (
        <PlayerContext value={parts}>
          <PlayerSurface {...props} parts={parts} />
        </PlayerContext>
      )}
      {isWaiting && !veil && <WaitingSurface onBack={onBack} />}
      {isAdUp(gate) && "ad" in gate && <AdGate gate={gate} dispatch={dispatch} onBack={onBack} />}
      {gate.phase === "hijacked" && (
        <NoticeVeil onBack={onBack} title={TEXT.changeBrowser} isElsewhere />
      )}
      {isHelpOpen && <KeyboardHelp onClose={() => setHelpOpen(false)} />}
      {veil}
    </section>
  );
}

/** The tile knew one source; the page's own response lists the ladder and the progressive file. */
function useAllSources(parts: PlayerParts | null, sources: readonly PlaySource[]): void {
  useEffect(() => {
    if (sources.length > 0) parts?.session.adoptSources(sources);
  }, [parts, sources]);
}

/**
 * Something played beneath the advertisement: a browser has hijacked the player (specification §4).
 */
function useHijackGuard(parts: PlayerParts | null, gate: GateState<Ad>): void {
  const isHijacked = gate.phase === "hijacked";
  useEffect(() => {
    if (!isHijacked) return;
    showMessage(TEXT.changeBrowser);
    parts?.session.dispose();
  }, [isHijacked, parts]);
}

interface PosterProps {
  readonly poster: Picture;
  readonly parts: PlayerParts | null;
  readonly onSettled: () => void;
}

function Poster({ poster, parts, onSettled }: PosterProps) {
  const isGone = useStarted(parts);
  return (
    <div className="player-poster" data-gone={isGone}>
      <Cover picture={poster} ratio="fill" isEager onSettled={onSettled} />
    </div>
  );
}

/** Whether a picture of the video itself has been on screen. */
function useStarted(parts: PlayerParts | null): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => parts?.session.store.subscribe(onChange) ?? (() => {}),
    [parts],
  );
  return useSyncExternalStore(subscribe, () => parts?.session.state.started ?? false);
}

/** While it is unknown what to play: the way back and, after a moment, a spinner. */
function WaitingSurface({ onBack }: { readonly onBack: () => void }) {
  return (
    <>
      <span className="player-spinner is-patient" role="status" aria-label="正在加载" />
      <div className="player-top">
        <PlayerButton label="返回" onPress={onBack}>
          <IconChevronLeft stroke={1.75} />
        </PlayerButton>
      </div>
    </>
  );
}

function PlayerSurface(props: PlayerProps & { readonly parts: PlayerParts }) {
  const { title, storyboard, chapters, choices, isSheetOpen, onSheet, onBack } = props;
  const { audioTracks } = props;
  const subtitles = useSubtitles(props.parts, props.subtitles);
  const phase = usePlayback((state) => state.phase);
  const refused = usePlayback((state) => state.refused);
  const waiting = usePlayback((state) => state.waiting);
  const started = usePlayback((state) => state.started);
  const mode = useFullscreenMode();
  const [isLocked, setLocked] = useState(false);
  usePageFullscreen(mode === "page");
  const openSheet = () => onSheet(true);
  if (isLocked && mode !== null) return <ScreenLock isLocked onChange={setLocked} />;
  return (
    <>
      <GestureLayer />
      {waiting && <span className="player-spinner" role="status" aria-label="正在缓冲" />}
      {phase === "failed" ? (
        <FailureVeil onBack={onBack} onQuality={choices.length > 0 ? openSheet : null} />
      ) : refused ? (
        <div className="player-middle is-refused">
          <PlayButton className="player-disc" />
        </div>
      ) : (
        <Controls
          title={title}
          storyboard={storyboard}
          chapters={chapters}
          audioTracks={audioTracks}
          onBack={onBack}
          onSettings={openSheet}
        >
          {mode !== null && <ScreenLock isLocked={false} onChange={setLocked} />}
        </Controls>
      )}
      {phase !== "failed" && (refused || !started) && <EarlyWayBack onBack={onBack} />}
      <SeekHint />
      {isSheetOpen && (
        <SettingsSheet
          choices={choices}
          audioTracks={audioTracks}
          subtitles={subtitles}
          onClose={() => onSheet(false)}
        />
      )}
    </>
  );
}

/**
 * The page itself fills the screen if the browser has no full screen: nothing else may scroll
 * behind it.
 */
function usePageFullscreen(isOn: boolean): void {
  useEffect(() => {
    document.documentElement.classList.toggle("has-page-fullscreen", isOn);
    return () => document.documentElement.classList.remove("has-page-fullscreen");
  }, [isOn]);
}
