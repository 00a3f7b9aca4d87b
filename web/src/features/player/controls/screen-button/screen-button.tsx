import { IconCast } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { chooseScreen, watchScreens } from "@/player/remote-playback.ts";
import { usePlayerParts } from "../../player-parts.ts";
import { PlayerButton } from "../button/player-button.tsx";

/** Sends the picture to a screen near by, where the browser knows of one. */
export function ScreenButton({ className }: { readonly className: string }) {
  const { session } = usePlayerParts();
  const [isThere, setThere] = useState(false);
  useEffect(() => {
    const life = new AbortController();
    watchScreens(session.video, setThere, life.signal);
    return () => life.abort();
  }, [session]);
  if (!isThere) return null;
  return (
    <PlayerButton
      className={className}
      label="投屏"
      onPress={() => void chooseScreen(session.video)}
    >
      <IconCast stroke={1.75} />
    </PlayerButton>
  );
}
