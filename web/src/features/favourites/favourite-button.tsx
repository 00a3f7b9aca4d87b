import { IconHeart, IconHeartFilled } from "@tabler/icons-react";
import { useRef, useState } from "react";
import type { Video } from "@/shared/api/model.ts";
import { showMessage } from "@/shared/messages/message-store.ts";
import { TEXT } from "@/shared/messages/texts.ts";
import { createThrottle } from "@/shared/throttle.ts";
import { setFavourite, useFavourite } from "./favourite-marks.ts";

/** Adds the video to the favourites and takes it out again (specification §4). */
export function FavouriteButton({ video }: { readonly video: Video }) {
  const isFavourite = useFavourite(video.id) ?? false;
  const [passes] = useState(() => createThrottle());
  const isBusy = useRef(false);
  const toggle = async () => {
    if (isBusy.current || !passes()) return;
    isBusy.current = true;
    try {
      await setFavourite(video, !isFavourite);
      showMessage(isFavourite ? TEXT.favouriteRemoved : TEXT.favouriteAdded);
    } catch (error) {
      console.info(error);
      showMessage(TEXT.networkError);
    }
    isBusy.current = false;
  };
  const Heart = isFavourite ? IconHeartFilled : IconHeart;
  return (
    <button
      type="button"
      className="favourite-button"
      aria-pressed={isFavourite}
      onClick={() => void toggle()}
    >
      <Heart stroke={1.75} aria-hidden="true" />
      {isFavourite ? "已收藏" : "收藏"}
    </button>
  );
}
