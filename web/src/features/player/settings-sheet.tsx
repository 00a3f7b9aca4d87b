import "./player-sheet.css";
import "./settings-sheet.css";
import { IconCheck } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import type { AudioTrack } from "@/player/audio-tracks.ts";
import { changePreferences } from "@/player/preferences.ts";
import { RATES } from "@/player/rates.ts";
import type { QualityChoice } from "@/player/sources.ts";
import { formatMegabytes } from "./file-size.ts";
import { usePlayback, usePlayerParts } from "./player-parts.ts";
import { useAudioTrack } from "./use-audio-track.ts";
import { useSheetDrag } from "./use-sheet-drag.ts";
import type { Subtitles } from "./use-subtitles.ts";

interface SettingsSheetProps {
  readonly choices: readonly QualityChoice[];
  readonly audioTracks: readonly AudioTrack[];
  readonly subtitles: Subtitles;
  readonly onClose: () => void;
}

/**
 * Rate, subtitles, audio track and quality in one sheet. It follows the finger down, and closes on Escape, back
 * and a tap beside it.
 */
export function SettingsSheet({ choices, audioTracks, subtitles, onClose }: SettingsSheetProps) {
  const { session, controls } = usePlayerParts();
  const dialog = useRef<HTMLDialogElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const drag = useSheetDrag(body, onClose);
  const rate = usePlayback((state) => state.rate);
  useEffect(() => {
    dialog.current?.showModal();
    controls.hold("sheet", true);
    return () => controls.hold("sheet", false);
  }, [controls]);
  const chooseRate = (chosen: number) => {
    session.setRate(chosen);
    changePreferences({ rate: chosen });
    onClose();
  };
  return (
    <dialog ref={dialog} className="player-sheet" aria-label="播放设置" onClose={onClose}>
      <div ref={body} className="player-sheet-body">
        <div className="player-grab" {...drag} aria-hidden="true" />
        <h3 id="player-rates">倍速</h3>
        <div className="player-rates" role="group" aria-labelledby="player-rates">
          {RATES.map((offered) => (
            <button
              key={offered}
              type="button"
              aria-pressed={offered === rate}
              onClick={() => chooseRate(offered)}
            >
              {offered}x
            </button>
          ))}
        </div>
        {subtitles.tracks.length > 0 && <SubtitleList subtitles={subtitles} onClose={onClose} />}
        {audioTracks.length > 1 && <AudioList tracks={audioTracks} onClose={onClose} />}
        {choices.length > 0 && <QualityList choices={choices} onClose={onClose} />}
      </div>
      <button
        type="button"
        className="player-sheet-scrim"
        aria-label="关闭播放设置"
        onClick={onClose}
      />
    </dialog>
  );
}

function SubtitleList({ subtitles, onClose }: Pick<SettingsSheetProps, "subtitles" | "onClose">) {
  const { tracks, chosen, choose } = subtitles;
  const pick = (lang: string) => {
    choose(lang);
    onClose();
  };
  return (
    <>
      <h3 id="player-subtitles">字幕</h3>
      <div className="player-pills" role="group" aria-labelledby="player-subtitles">
        <button type="button" aria-pressed={chosen === null} onClick={() => pick("")}>
          关闭
        </button>
        {tracks.map(({ lang, label }) => (
          <button
            key={lang}
            type="button"
            aria-pressed={lang === chosen?.lang}
            onClick={() => pick(lang)}
          >
            {label}
          </button>
        ))}
      </div>
    </>
  );
}

interface AudioListProps {
  readonly tracks: readonly AudioTrack[];
  readonly onClose: () => void;
}

function AudioList({ tracks, onClose }: AudioListProps) {
  const { session } = usePlayerParts();
  const chosen = useAudioTrack(tracks);
  const pick = (lang: string) => {
    session.setAudio(lang);
    changePreferences({ audio: lang });
    onClose();
  };
  return (
    <>
      <h3 id="player-audio">音轨</h3>
      <div className="player-pills" role="group" aria-labelledby="player-audio">
        {tracks.map(({ lang, label }) => (
          <button
            key={lang}
            type="button"
            aria-pressed={lang === chosen?.lang}
            onClick={() => pick(lang)}
          >
            {label}
          </button>
        ))}
      </div>
    </>
  );
}

function QualityList({ choices, onClose }: Pick<SettingsSheetProps, "choices" | "onClose">) {
  const { session } = usePlayerParts();
  const quality = usePlayback((state) => state.quality);
  const height = usePlayback((state) => state.height);
  const current = choices.some((choice) => choice.quality === quality) ? quality : "auto";
  const lowest = choices.at(-1)?.quality;
  const choose = (choice: QualityChoice) => {
    session.setQuality(choice.quality);
    changePreferences({ quality: choice.quality });
    onClose();
  };
  return (
    <>
      <h3 id="player-qualities">画质</h3>
      <div role="group" aria-labelledby="player-qualities">
        {choices.map((choice) => (
          <button
            key={choice.quality}
            type="button"
            className="player-option"
            aria-pressed={choice.quality === current}
            onClick={() => choose(choice)}
          >
            {choice.label}
            {choice.quality === lowest && " 省流量"}
            {choice.quality === "auto" && height > 0 && <small>当前 {height}P</small>}
            <span className="player-option-end">
              {choice.bytes > 0 && <small>约 {formatMegabytes(choice.bytes)}</small>}
              {choice.quality === current && (
                <IconCheck size={20} stroke={1.75} aria-hidden="true" />
              )}
            </span>
          </button>
        ))}
      </div>
    </>
  );
}
