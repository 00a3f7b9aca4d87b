import { useEffect, useLayoutEffect } from "react";
import { recordWatching } from "@/player/history.ts";
import { bindMediaSession } from "@/player/media-session.ts";
import { PlayReporter } from "@/player/play-reporter.ts";
import type { Video } from "@/shared/api/model.ts";
import { reportPlay } from "@/shared/api/play-events.ts";
import type { PlayerParts } from "./player-parts.ts";

/** Starts playback once the gate is open, and reports anything that plays before. */
export function useGatedStart(
  parts: PlayerParts | null,
  isOpen: boolean,
  onPlaying: () => void,
): void {
  useLayoutEffect(() => {
    if (parts && isOpen) parts.session.play();
  }, [parts, isOpen]);
  useEffect(() => {
    if (!parts || isOpen) return;
    const { video } = parts.session;
    video.addEventListener("playing", onPlaying);
    return () => video.removeEventListener("playing", onPlaying);
  }, [parts, isOpen, onPlaying]);
}

/** Keeps the controls up while nothing moves. */
export function usePausedControls(parts: PlayerParts | null): void {
  useEffect(() => {
    if (!parts) return;
    const { session, controls } = parts;
    const follow = () => {
      const { playing, started, phase } = session.state;
      controls.hold("paused", !playing && started);
      if (phase === "ended") controls.show();
    };
    follow();
    return session.store.subscribe((state, before) => {
      if (state.playing !== before.playing || state.phase !== before.phase) follow();
    });
  }, [parts]);
}

/**
 * Watch history, resume position and the system's media keys, as soon as the video's data are
 * known.
 */
export function useWatchRecord(
  parts: PlayerParts | null,
  video: Video | null,
  artist: string,
): void {
  useEffect(() => {
    if (!parts || !video) return;
    const life = new AbortController();
    recordWatching(parts.session, video, life.signal);
    bindMediaSession(parts.session, { title: video.title, artist }, life.signal);
    return () => life.abort();
  }, [parts, video, artist]);
}

/**
 * Reports to the server how the video plays (docs/product.md#playback), from the wish to watch it
 * on: an advertisement does not count.
 */
export function usePlayReports(parts: PlayerParts | null, isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!parts || !isOpen) return;
    const { id, state, store } = parts.session;
    const reporter = new PlayReporter(
      (report) => void reportPlay(id, report),
      () => performance.now(),
    );
    reporter.note(state);
    return store.subscribe(reporter.note);
  }, [parts, isOpen]);
}
