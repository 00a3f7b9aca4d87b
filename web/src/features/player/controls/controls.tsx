import "./controls.css";
import { type ReactNode, useState } from "react";
import type { AudioTrack } from "@/player/audio-tracks.ts";
import type { Chapter } from "@/player/play-info.ts";
import { useControlsVisible, usePlayerParts } from "../player-parts.ts";
import { Clock } from "./clock/clock.tsx";
import { FloatButton } from "./float-button/float-button.tsx";
import { FullscreenButton } from "./fullscreen-button/fullscreen-button.tsx";
import { PlayButton } from "./play-button/play-button.tsx";
import { ScreenButton } from "./screen-button/screen-button.tsx";
import { SeekBar } from "./seek-bar/seek-bar.tsx";
import { SettingsButtons } from "./settings-buttons/settings-buttons.tsx";
import { TopBar } from "./top-bar/top-bar.tsx";
import { VolumeControl } from "./volume/volume-control.tsx";

interface ControlsProps {
  readonly title: string;
  readonly storyboard: string | null;
  readonly chapters: readonly Chapter[];
  readonly audioTracks: readonly AudioTrack[];
  readonly onBack: () => void;
  readonly onSettings: () => void;
  readonly children: ReactNode;
}

/** All controls over the picture. When hidden they leave a thin progress line. */
export function Controls(props: ControlsProps) {
  const { title, storyboard, chapters, audioTracks, onBack, onSettings, children } = props;
  const { controls } = usePlayerParts();
  const [scrub, setScrub] = useState<number | null>(null);
  const visible = useControlsVisible();
  const hasFocusWithin = (held: boolean) => {
    controls.hold("focus", held);
    if (held) controls.show();
  };
  return (
    <div
      className="player-controls"
      data-visible={visible}
      data-scrubbing={scrub !== null}
      onFocus={(event) => event.target.matches(":focus-visible") && hasFocusWithin(true)}
      onBlur={() => hasFocusWithin(false)}
      onPointerDownCapture={() => controls.show()}
    >
      <i className="player-shade" aria-hidden="true" />
      <TopBar title={title} onBack={onBack} onSettings={onSettings} />
      {children}
      <div className="player-middle">
        <PlayButton className="player-disc" />
      </div>
      <div className="player-bottom">
        <div className="player-row">
          <PlayButton className="player-button pc-only" />
          <VolumeControl />
          <Clock />
          <span className="spacer" />
          <SettingsButtons audioTracks={audioTracks} onSettings={onSettings} />
          <ScreenButton className="pc-only" />
          <FloatButton className="pc-only" />
          <FullscreenButton />
        </div>
        <SeekBar scrub={scrub} onScrub={setScrub} storyboard={storyboard} chapters={chapters} />
      </div>
    </div>
  );
}
