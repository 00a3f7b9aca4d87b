import { IconPictureInPicture } from "@tabler/icons-react";
import { canFloat, toggleFloating } from "@/player/picture-in-picture.ts";
import { usePlayerParts } from "../../player-parts.ts";
import { PlayerButton } from "../button/player-button.tsx";

/** Lets the picture float over other windows, where the browser can. */
export function FloatButton({ className }: { readonly className: string }) {
  const { session } = usePlayerParts();
  if (!canFloat()) return null;
  return (
    <PlayerButton
      className={className}
      label="画中画"
      onPress={() => void toggleFloating(session.video)}
    >
      <IconPictureInPicture stroke={1.75} />
    </PlayerButton>
  );
}
